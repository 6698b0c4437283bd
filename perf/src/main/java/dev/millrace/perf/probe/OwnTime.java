package dev.millrace.perf.probe;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Processor time of this process and of all that it started; 0 where there is no {@code /proc}. Stateless. */
final class OwnTime {
    /** Behind the name: utime, stime, and with what children took that have ended, cutime and cstime (proc_pid_stat(5)). */
    private static final int FIRST = 11;

    private static final int LAST = 14;

    private OwnTime() {}

    /**
     * Ticks since each of them started. Whoever has ended is in it by way of the one that started it; of one that is left by who
     * started it nothing is.
     */
    static long ticks() {
        ProcessHandle here = ProcessHandle.current();
        return Stream.concat(Stream.of(here), here.descendants())
                .mapToLong(process -> ticks(Path.of("/proc", Long.toString(process.pid()), "stat")))
                .sum();
    }

    private static long ticks(Path stat) {
        try {
            return parse(Files.readString(stat));
        } catch (IOException e) {
            // It has just ended, or this is no Linux.
            return 0;
        }
    }

    static long parse(String stat) {
        // A name may have spaces and brackets.
        String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ");
        long ticks = 0;
        for (int i = FIRST; i <= LAST; i++) {
            ticks += Long.parseLong(fields[i]);
        }
        return ticks;
    }
}
