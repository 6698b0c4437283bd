package dev.millrace.perf.variant;

import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.deploy.local.Installation;
import dev.millrace.perf.process.ToldProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The process of one variant on one broker: it drains whenever it is told to, and in between does nothing. One for all rounds,
 * because compilers go on for minutes with what is called some times a second only; a process that is new in each round
 * measures them.
 */
public final class VariantProcess implements AutoCloseable {
    private final ToldProcess process;
    private boolean warm;

    private VariantProcess(ToldProcess process) {
        this.process = process;
    }

    /** @param folder its own, for its log and temporary files */
    static VariantProcess start(
            Variant variant, Installation installation, String broker, long heapBytes, Path folder) {
        try {
            Path log = Files.createDirectories(folder).resolve("drain.log");
            List<String> command = command(folder, heapBytes, new ClassPaths(installation).of(broker, variant));
            return new VariantProcess(ToldProcess.start("the drain of variant '" + variant.word() + "'", command, log));
        } catch (IOException e) {
            throw new EnvironmentException("cannot start a drain in " + folder + ": " + e.getMessage(), e);
        }
    }

    private static List<String> command(Path folder, long heapBytes, String classPath) throws IOException {
        Path logging = folder.resolve("log4j2.properties");
        Files.writeString(
                logging,
                String.join(
                        "\n",
                        "rootLogger.level = WARN",
                        "rootLogger.appenderRef.out.ref = out",
                        "appender.out.name = out",
                        "appender.out.type = Console",
                        "appender.out.layout.type = PatternLayout",
                        "appender.out.layout.pattern = %d{HH:mm:ss.SSS} %-5p [%t] %c{1} - %m%n%xEx",
                        ""));
        Path temporary = Files.createDirectories(folder.resolve("tmp"));
        List<String> command = new ArrayList<>(List.of(
                Installation.java(),
                "-Xms" + heapBytes,
                "-Xmx" + heapBytes,
                "-XX:MaxDirectMemorySize=512m",
                "-XX:+UseParallelGC"));
        command.addAll(Installation.addOpens());
        command.addAll(List.of(
                "-XX:+ExitOnOutOfMemoryError",
                // The official connector's jobs read Avro as fast as Avro can.
                "-Dorg.apache.avro.specific.use_custom_coders=true",
                "-Djava.io.tmpdir=" + temporary,
                "-Dlog4j2.configurationFile=" + logging.toUri(),
                "-cp",
                classPath,
                "dev.millrace.perf.baselines.DrainProcess"));
        return command;
    }

    /** What it and its job say. */
    public Path log() {
        return process.log();
    }

    /** Whether it has drained before. */
    public boolean isWarm() {
        return warm;
    }

    /** Drains, or runs, once as {@code settings} says, and returns when {@code result} is there. */
    public void drain(Path settings, Path result, Duration bound) {
        process.tell(settings, result, bound);
        warm = true;
    }

    @Override
    public void close() {
        process.close();
    }
}
