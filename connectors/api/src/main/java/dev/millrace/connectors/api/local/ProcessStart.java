package dev.millrace.connectors.api.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * When a process began, in words that stay the same as long as it lives: what tells it from a later one with the same pid.
 *
 * <p>Not {@link ProcessHandle.Info#startInstant} where there is {@code /proc}: that is the boot's time of day, as each JVM finds it,
 * and what the kernel counts from there (proc_pid_stat(5), field 22), so it moves when a person or NTP sets the clock.
 */
final class ProcessStart {
    private static final Path PROC = Path.of("/proc");
    /** Fields are counted from the state, which is the one behind the command's closing bracket. */
    private static final int STATE = 0;

    private static final int THREADS = 20 - 3;
    private static final int START_TICKS = 22 - 3;
    /** A zombie, and one that is just going. */
    private static final Set<String> DEFUNCT = Set.of("Z", "X");

    private static final String STOPPED = "T";

    /** Between ticks and boot. */
    private static final String AT = "@";

    private ProcessStart() {}

    /** One word; the same one from every process of this machine. */
    static String of(ProcessHandle process) {
        try {
            String boot =
                    Files.readString(PROC.resolve("sys/kernel/random/boot_id")).trim();
            return fields(process)[START_TICKS] + AT + boot;
        } catch (IOException | RuntimeException e) {
            return instant(process);
        }
    }

    /** @param word what {@link #of} said of it, or a release that knew times of day only */
    static boolean is(ProcessHandle process, String word) {
        return word.equals(word.contains(AT) ? of(process) : instant(process));
    }

    /**
     * Whether it has ended and waits for its parent to hear of it; what cannot be seen is not. Its first thread may have ended before the
     * others, which then still hold its ports and locks.
     */
    static boolean isDefunct(ProcessHandle process) {
        try {
            String[] fields = fields(process);
            return DEFUNCT.contains(fields[STATE]) && Integer.parseInt(fields[THREADS]) <= 1;
        } catch (IOException | RuntimeException e) {
            return false;
        }
    }

    /** Whether it stands still after SIGSTOP, which one that is gone does not; empty where there is no {@code /proc}. */
    static Optional<Boolean> isStopped(ProcessHandle process) {
        try {
            return Optional.of(fields(process)[STATE].equals(STOPPED));
        } catch (IOException | RuntimeException e) {
            return Files.exists(PROC.resolve("self/stat")) ? Optional.of(false) : Optional.empty();
        }
    }

    /** From the process's state on, as proc(5) has them; the command before it may hold blanks and brackets itself. */
    private static String[] fields(ProcessHandle process) throws IOException {
        String stat =
                Files.readString(PROC.resolve(Long.toString(process.pid())).resolve("stat"));
        return stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    }

    private static String instant(ProcessHandle process) {
        return Long.toString(
                process.info().startInstant().map(Instant::toEpochMilli).orElse(0L));
    }
}
