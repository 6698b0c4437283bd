package dev.millrace.connectors.api.local;

import dev.millrace.core.settings.EnvironmentException;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What a server of somebody else's reads: the folder that the build fetched it to, and files of settings. */
public final class ServerFiles {
    private ServerFiles() {}

    /**
     * The folder that the build fetched the plugin's server to: beside the folder that its class was loaded from.
     *
     * @param server for the message: "the X server"
     */
    public static Path fetched(Class<?> plugin, String server) {
        Path code;
        try {
            code = Path.of(
                    plugin.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
        Path build = Files.isDirectory(code)
                ? code.getParent()
                : code.toAbsolutePath().getParent().getParent();
        Path folder = build.resolve("server");
        if (!Files.exists(folder.resolve("complete"))) {
            String broker = build.toAbsolutePath().getParent().getFileName().toString();
            throw new EnvironmentException(server + " is not in " + folder
                    + "; the build fetches it, once: mvn -q -DskipTests -D" + broker + ".server.skip=false -pl brokers/"
                    + broker + " -am verify");
        }
        return folder;
    }

    /** Where a server that keeps its data in {@code directory} has its temporary files: those of the machine may be small, or no place for code. */
    public static Path scratch(Path directory) {
        return directory.resolve("tmp");
    }

    /**
     * Makes {@link #scratch}, and removes what an earlier process left in it: libraries are unpacked at each start, and stay behind where
     * one was killed. Of a server that does not run.
     */
    public static Path emptyScratch(Path directory) {
        Path scratch = scratch(directory);
        try {
            Files.createDirectories(scratch);
            try (DirectoryStream<Path> leftovers = Files.newDirectoryStream(scratch, Files::isRegularFile)) {
                for (Path leftover : leftovers) {
                    Files.delete(leftover);
                }
            }
            return scratch;
        } catch (IOException e) {
            throw new EnvironmentException("cannot empty " + scratch + ": " + e.getMessage(), e);
        }
    }

    /** Writes a properties file, in the order of the map. */
    public static void write(Path file, Map<String, String> settings) {
        String text = settings.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue().replace("\\", "\\\\"))
                .collect(Collectors.joining("\n", "# Written at every start; changes are lost.\n", "\n"));
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new EnvironmentException("cannot write " + file + ": " + e.getMessage(), e);
        }
    }

    /**
     * Settings of log4j 2: warnings, and the steps of starting and stopping, in a file and two older ones of 8 MB each.
     *
     * @param steps the loggers that tell the steps
     */
    public static Map<String, String> logSettings(Path log, List<String> steps) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("status", "error");
        settings.put("appender.file.type", "RollingFile");
        settings.put("appender.file.name", "FILE");
        settings.put("appender.file.fileName", log.toString());
        settings.put("appender.file.filePattern", log + ".%i");
        settings.put("appender.file.layout.type", "PatternLayout");
        settings.put("appender.file.layout.pattern", "%d{ISO8601} %-5p %m (%c{1})%n");
        settings.put("appender.file.policies.type", "Policies");
        settings.put("appender.file.policies.size.type", "SizeBasedTriggeringPolicy");
        settings.put("appender.file.policies.size.size", "8MB");
        settings.put("appender.file.strategy.type", "DefaultRolloverStrategy");
        settings.put("appender.file.strategy.max", "2");
        settings.put("rootLogger.level", "warn");
        settings.put("rootLogger.appenderRef.file.ref", "FILE");
        for (String step : steps) {
            String id = step.replace('.', '_');
            settings.put("logger." + id + ".name", step);
            settings.put("logger." + id + ".level", "info");
        }
        return settings;
    }
}
