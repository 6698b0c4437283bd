package dev.millrace.deploy.local.lifecycle;

import dev.millrace.deploy.local.StackState;
import java.util.List;

/** Sees when the job's processes become others. Used by one thread. */
final class Replacement {
    private final StackState before;
    private final OutputPause pause;
    private long sinceMillis = System.currentTimeMillis();

    /** @param pause is cut when the first of them is another */
    Replacement(StackState before, OutputPause pause) {
        this.before = before;
        this.pause = pause;
    }

    /**
     * When a checkpoint must have begun, epoch milliseconds, to show that what was ordered works. The old job completes some after
     * the order, too; but a process is another only when the old TaskManager is dead, and from then on the new one alone does.
     */
    long sinceMillis(StackState now) {
        boolean replaced = List.of(StackState.JOB_MANAGER, StackState.TASK_MANAGER).stream()
                .anyMatch(part ->
                        isAnother(before.part(part).pid(), now.part(part).pid()));
        if (replaced && !pause.isCut()) {
            pause.cut();
            sinceMillis = System.currentTimeMillis();
        }
        return sinceMillis;
    }

    private static boolean isAnother(long before, long now) {
        return now > 0 && now != before;
    }
}
