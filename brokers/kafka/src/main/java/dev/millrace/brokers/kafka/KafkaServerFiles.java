package dev.millrace.brokers.kafka;

import dev.millrace.connectors.api.local.CollectorLog;
import dev.millrace.connectors.api.local.ServerFiles;
import dev.millrace.core.settings.EnvironmentException;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/** What a local server reads: its jars, its settings, its log's settings. */
public final class KafkaServerFiles {
    static final String SETTINGS = "server.properties";
    static final String LOG = "kafka-server.log";

    /**
     * Not Kafka's: a key that ends in the release, so that a client can read it back from the running server. A key, because
     * a server tells the names of settings that it does not know, but not their values.
     */
    static final String VERSION_KEY_PREFIX = "millrace.server.version.";

    private static final String LOG_SETTINGS = "log4j2.properties";

    /** Not pages of settings and a line for every group's step. */
    private static final List<String> STEPS = List.of(
            "kafka.server.BrokerServer",
            "kafka.server.KafkaRaftServer",
            "kafka.network.DataPlaneAcceptor",
            "org.apache.kafka.common.utils.AppInfoParser");

    private KafkaServerFiles() {}

    /** The folder of the server's jars. */
    public static Path jars() {
        return ServerFiles.fetched(KafkaServerFiles.class, "the Kafka server");
    }

    /** The version that the server itself prints when it starts, from the same place. */
    public static String version(Path jars) {
        try (Stream<Path> files = Files.list(jars)) {
            Optional<Path> clients = files.filter(
                            file -> file.getFileName().toString().startsWith("kafka-clients-"))
                    .findFirst();
            if (clients.isEmpty()) {
                throw new EnvironmentException("there is no kafka-clients jar in " + jars
                        + "; remove the folder and run" + " the build again");
            }
            try (JarFile jar = new JarFile(clients.get().toFile());
                    InputStream stream = jar.getInputStream(jar.getEntry("kafka/kafka-version.properties"))) {
                Properties properties = new Properties();
                properties.load(stream);
                return properties.getProperty("version");
            }
        } catch (IOException e) {
            throw new EnvironmentException("cannot read the Kafka server's jars in " + jars + ": " + e.getMessage(), e);
        }
    }

    static void write(Path directory, int port, int controllerPort, KafkaOptions options, String version) {
        ServerFiles.write(directory.resolve(SETTINGS), settings(directory, port, controllerPort, options, version));
        ServerFiles.write(directory.resolve(LOG_SETTINGS), ServerFiles.logSettings(directory.resolve(LOG), STEPS));
    }

    private static Map<String, String> settings(
            Path directory, int port, int controllerPort, KafkaOptions options, String version) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("process.roles", "broker,controller");
        settings.put("node.id", "1");
        settings.put("controller.quorum.voters", "1@127.0.0.1:" + controllerPort);
        settings.put("controller.listener.names", "CONTROLLER");
        String listeners = "PLAINTEXT://127.0.0.1:" + port;
        String advertised = listeners;
        if (options.inner().isThere()) {
            listeners += ",INNER://127.0.0.1:" + options.inner().port();
            advertised += ",INNER://127.0.0.1:" + options.inner().advertisedPort();
        }
        settings.put("listeners", listeners + ",CONTROLLER://127.0.0.1:" + controllerPort);
        settings.put("advertised.listeners", advertised);
        settings.put("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,INNER:PLAINTEXT,CONTROLLER:PLAINTEXT");
        settings.put("log.dirs", data(directory).toString());
        settings.put("auto.create.topics.enable", "false");
        settings.put("offsets.topic.num.partitions", "4");
        settings.put("offsets.topic.replication.factor", "1");
        settings.put("transaction.state.log.num.partitions", "4");
        settings.put("transaction.state.log.replication.factor", "1");
        settings.put("transaction.state.log.min.isr", "1");
        settings.put("share.coordinator.state.topic.replication.factor", "1");
        settings.put("share.coordinator.state.topic.min.isr", "1");
        settings.put("group.initial.rebalance.delay.ms", "0");
        // After a SIGKILL the server waits until its own earlier registration has run out (9 s by default).
        settings.put("broker.session.timeout.ms", "3000");
        settings.put("broker.heartbeat.interval.ms", "500");
        // A stack that is left running stays small: small segments, looked through often, gone soon.
        settings.put("log.segment.bytes", Integer.toString(64 << 20));
        settings.put("offsets.topic.segment.bytes", Integer.toString(8 << 20));
        settings.put("transaction.state.log.segment.bytes", Integer.toString(8 << 20));
        settings.put("log.retention.check.interval.ms", "10000");
        settings.put("log.segment.delete.delay.ms", "5000");
        settings.put("metadata.log.segment.bytes", Integer.toString(8 << 20));
        settings.put("metadata.max.retention.bytes", Integer.toString(32 << 20));
        settings.put("metadata.log.max.record.bytes.between.snapshots", Integer.toString(4 << 20));
        settings.put("metadata.max.idle.interval.ms", "5000");
        // The default of 128 MB is half of a small server's heap.
        settings.put("log.cleaner.dedupe.buffer.size", Integer.toString(8 << 20));
        settings.put("log.index.size.max.bytes", Integer.toString(1 << 20));
        settings.putAll(options.server());
        settings.put(VERSION_KEY_PREFIX + version, "true");
        return settings;
    }

    /** The id that the data directory was formatted with. */
    static String clusterId(Path directory) {
        Path file = data(directory).resolve("meta.properties");
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            properties.load(reader);
        } catch (IOException e) {
            throw new EnvironmentException("cannot read " + file + ": " + e.getMessage(), e);
        }
        return properties.getProperty("cluster.id", "");
    }

    static Path data(Path directory) {
        return directory.resolve("data");
    }

    /** The command of a process of the server's jars; the heap and what is beside it stay below {@code memoryBytes}. */
    static List<String> command(Path directory, Path jars, long memoryBytes, List<String> mainAndArguments) {
        long mebibytes = memoryBytes >> 20;
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xms128m",
                "-Xmx" + mebibytes * 55 / 100 + "m",
                "-XX:MaxDirectMemorySize=" + Math.max(64, mebibytes / 8) + "m",
                "-XX:MaxMetaspaceSize=128m",
                "-XX:ReservedCodeCacheSize=64m",
                "-XX:+UseG1GC",
                "-XX:MaxGCPauseMillis=20",
                "-XX:+ExitOnOutOfMemoryError",
                // A file in the system's own folder for temporary ones, whatever java.io.tmpdir is.
                "-XX:-UsePerfData",
                "-XX:ErrorFile=" + directory.resolve("kafka-crash.log"),
                "-Djava.io.tmpdir=" + ServerFiles.scratch(directory),
                "-Djava.awt.headless=true",
                "-Dlog4j2.configurationFile=" + directory.resolve(LOG_SETTINGS),
                "-Dkafka.logs.dir=" + directory,
                "-cp",
                jars + File.separator + "*"));
        command.addAll(CollectorLog.options(directory.resolve(LOG)));
        command.addAll(mainAndArguments);
        return command;
    }
}
