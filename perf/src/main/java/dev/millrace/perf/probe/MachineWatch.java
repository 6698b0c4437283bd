package dev.millrace.perf.probe;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Looks at the machine once a second until it is closed: what is measured in another process says only at its end when it began.
 * Keeps the last hour. Thread-safe.
 */
public final class MachineWatch implements AutoCloseable {
    private static final int MOST_LOOKS = 3600;

    private final ScheduledExecutorService looker = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "machine-watch");
        thread.setDaemon(true);
        return thread;
    });
    private final Deque<Look> looks = new ArrayDeque<>();

    private record Look(long nanos, MachineUse use) {}

    private final boolean startedAll;

    private MachineWatch(boolean startedAll) {
        this.startedAll = startedAll;
    }

    /**
     * The first look is made before this returns.
     *
     * @param startedAll as {@link MachineUse#now} takes it
     */
    public static MachineWatch start(boolean startedAll) {
        MachineWatch watch = new MachineWatch(startedAll);
        watch.look();
        watch.looker.scheduleAtFixedRate(watch::look, 1, 1, TimeUnit.SECONDS);
        return watch;
    }

    private void look() {
        add(System.nanoTime(), MachineUse.now(startedAll));
    }

    synchronized void add(long nanos, MachineUse use) {
        looks.add(new Look(nanos, use));
        if (looks.size() > MOST_LOOKS) {
            looks.remove();
        }
    }

    /**
     * What the machine counted between two moments of {@link System#nanoTime()}, neither of them to come: from the last look before
     * {@code from}, or the first there is, to the first one behind {@code to}.
     */
    public MachineUse between(long from, long to) {
        look();
        return counted(from, to);
    }

    synchronized MachineUse counted(long from, long to) {
        Look first = looks.getFirst();
        for (Look look : looks) {
            if (look.nanos() - to >= 0) {
                return look.use().since(first.use());
            }
            if (look.nanos() - from <= 0) {
                first = look;
            }
        }
        return looks.getLast().use().since(first.use());
    }

    @Override
    public void close() {
        looker.shutdownNow();
    }
}
