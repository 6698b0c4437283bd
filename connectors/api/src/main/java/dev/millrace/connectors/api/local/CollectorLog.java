package dev.millrace.connectors.api.local;

import java.nio.file.Path;
import java.util.List;

/** Where a JVM on this machine logs what its garbage collector does: beside its own log. */
public final class CollectorLog {
    private CollectorLog() {}

    /** {@code NAME-gc.log} beside {@code NAME.log}. */
    public static Path beside(Path log) {
        return log.resolveSibling(log.getFileName().toString().replaceFirst("\\.log$", "") + "-gc.log");
    }

    /**
     * What the JVM is told (JEP 158): a line for each collection with its time, in one file of at most 4 MiB and the one before it.
     * Lines are written behind the program's back, so that a slow disk makes no pause longer.
     */
    public static List<String> options(Path log) {
        return List.of("-Xlog:async", "-Xlog:gc:file=\"" + beside(log) + "\":time:filecount=1,filesize=4m");
    }
}
