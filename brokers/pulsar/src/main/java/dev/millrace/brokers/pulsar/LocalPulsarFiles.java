package dev.millrace.brokers.pulsar;

import dev.millrace.connectors.api.broker.PluginOptions;
import dev.millrace.connectors.api.local.CollectorLog;
import dev.millrace.connectors.api.local.ServerFiles;
import dev.millrace.core.settings.EnvironmentException;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Stream;

/** What a local server reads: its jars, its settings, its log's settings. */
public final class LocalPulsarFiles {
    static final String SETTINGS = "standalone.conf";
    static final String LOG = "pulsar-server.log";

    /** Ours, because they say where the server is and whose. */
    static final Set<String> FIXED = Set.of(
            "advertisedAddress",
            "advertisedListeners",
            "allowEphemeralPorts",
            "allowLoopback",
            "bindAddress",
            "bindAddresses",
            "bookiePort",
            "brokerServicePort",
            "clusterName",
            "httpServerClass",
            "httpServerEnabled",
            "httpServerHost",
            "httpServerPort",
            "internalListenerName",
            "listeningInterface",
            "webServicePort");

    private static final String LOG_SETTINGS = "log4j2.properties";
    private static final int METASPACE_MEBIBYTES = 160;
    private static final int CODE_MEBIBYTES = 96;
    private static final List<String> STEPS =
            List.of("org.apache.pulsar.PulsarStandalone", "org.apache.pulsar.broker.PulsarService");

    private LocalPulsarFiles() {}

    /** Where a server listens; all on loopback. */
    record PortsOfServer(int broker, int admin, int bookie, int bookieAdmin) {}

    /** The distribution's folder, with {@code lib} and {@code conf}. */
    public static Path distribution() {
        Path folder = ServerFiles.fetched(LocalPulsarFiles.class, "the Pulsar server");
        try (Stream<Path> folders = Files.list(folder)) {
            return folders.filter(each -> Files.isDirectory(each.resolve("lib")))
                    .findFirst()
                    .orElseThrow(() -> new EnvironmentException(
                            "there is no Pulsar distribution in " + folder + "; remove it and run the build again"));
        } catch (IOException e) {
            throw new EnvironmentException("cannot list " + folder + ": " + e.getMessage(), e);
        }
    }

    static void write(Path directory, Path distribution, PortsOfServer ports, PulsarOptions options) {
        ServerFiles.write(directory.resolve(LOG_SETTINGS), ServerFiles.logSettings(directory.resolve(LOG), STEPS));
        Map<String, String> settings = new LinkedHashMap<>();
        Properties shipped = properties(distribution.resolve("conf").resolve(SETTINGS));
        shipped.stringPropertyNames().stream().sorted().forEach(key -> settings.put(key, shipped.getProperty(key)));
        settings.putAll(memory(options.memoryBytes() >> 20));
        settings.putAll(promises());
        settings.putAll(bounds());
        settings.putAll(options.server());
        settings.putAll(addresses(ports, clusterName(directory)));
        settings.putAll(inner(ports, options.inner()));
        ServerFiles.write(directory.resolve(SETTINGS), settings);
    }

    private static Map<String, String> addresses(PortsOfServer ports, String clusterName) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("clusterName", clusterName);
        settings.put("bindAddress", "127.0.0.1");
        settings.put("advertisedAddress", "127.0.0.1");
        settings.put("brokerServicePort", Integer.toString(ports.broker()));
        settings.put("webServicePort", Integer.toString(ports.admin()));
        // The bookie binds to all interfaces unless one is named.
        settings.put("listeningInterface", loopback());
        settings.put("allowLoopback", "true");
        settings.put("allowEphemeralPorts", "true");
        settings.put("bookiePort", Integer.toString(ports.bookie()));
        // Asked for what it does about fsync.
        settings.put("httpServerEnabled", "true");
        settings.put("httpServerClass", "org.apache.bookkeeper.http.vertx.VertxHttpServer");
        settings.put("httpServerHost", "127.0.0.1");
        settings.put("httpServerPort", Integer.toString(ports.bookieAdmin()));
        return settings;
    }

    /** Who comes in by the second port is told of another one; all others, the server itself among them, of the first. */
    private static Map<String, String> inner(PortsOfServer ports, PluginOptions.Inner inner) {
        String main = "main:pulsar://127.0.0.1:" + ports.broker();
        return inner.isThere()
                ? Map.of(
                        "advertisedAddress",
                        "",
                        "advertisedListeners",
                        main + ",inner:pulsar://127.0.0.1:" + inner.advertisedPort(),
                        "bindAddresses",
                        "inner:pulsar://127.0.0.1:" + inner.port(),
                        "internalListenerName",
                        "main")
                : Map.of();
    }

    /** What the plugin's promises stand on. */
    private static Map<String, String> promises() {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("brokerDeduplicationEnabled", "true");
        // Ledgers stay until the snapshot of what is known of publishers is behind them.
        settings.put("brokerDeduplicationEntriesInterval", "50");
        settings.put("brokerDeduplicationSnapshotFrequencyInSeconds", "10");
        settings.put("brokerDeduplicationSnapshotIntervalSeconds", "20");
        // A reading's broker timestamp is when the broker took it, and lag counts readings.
        settings.put(
                "brokerEntryMetadataInterceptors",
                "org.apache.pulsar.common.intercept.AppendBrokerTimestampMetadataInterceptor,"
                        + "org.apache.pulsar.common.intercept.AppendIndexMetadataInterceptor");
        settings.put("exposingBrokerEntryMetadataToClientEnabled", "true");
        settings.put("allowAutoTopicCreation", "false");
        settings.put("brokerDeleteInactiveTopicsEnabled", "false");
        // What a topic's own policies say.
        settings.put("backlogQuotaDefaultLimitGB", "-1");
        settings.put("topicLevelPoliciesEnabled", "true");
        settings.put("systemTopicEnabled", "true");
        return settings;
    }

    /** A stack that is left running stays small: small ledgers, looked through often, gone soon. */
    private static Map<String, String> bounds() {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("managedLedgerMaxSizePerLedgerMbytes", "32");
        // Only whole ledgers are removed: at 300 MB/s a minute of waiting would be 18 GB.
        settings.put("managedLedgerMinLedgerRolloverTimeMinutes", "0");
        settings.put("managedLedgerMaxLedgerRolloverTimeMinutes", "60");
        settings.put("managedLedgerCursorRolloverTimeInSeconds", "3600");
        settings.put("retentionCheckIntervalInSeconds", "4");
        settings.put("backlogQuotaCheckIntervalInSeconds", "10");
        settings.put("messageExpiryCheckIntervalInMinutes", "1");
        settings.put("journalMaxSizeMB", "64");
        settings.put("journalMaxBackups", "1");
        settings.put("logSizeLimit", Integer.toString(64 << 20));
        settings.put("gcWaitTime", "30000");
        // Ledgers of one time share a file; what lives longer, such as cursors, is moved together.
        settings.put("minorCompactionInterval", "120");
        settings.put("minorCompactionThreshold", "0.5");
        settings.put("majorCompactionInterval", "3600");
        settings.put("majorCompactionThreshold", "0.8");
        return settings;
    }

    /**
     * One process holds broker, bookie and metadata. The caches, and payloads that have no answer yet, take nearly two thirds of the
     * direct memory: the rest is for what the connections read and send, which has no bound here.
     */
    private static Map<String, String> memory(long mebibytes) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("managedLedgerCacheSizeMB", Long.toString(mebibytes / 16));
        settings.put("dbStorage_writeCacheMaxSizeMb", Long.toString(mebibytes / 16));
        long readAhead = mebibytes / 32;
        settings.put("dbStorage_readAheadCacheMaxSizeMb", Long.toString(readAhead));
        // The shipped bound is 1,000 entries: of batches of 512 KiB more than the cache holds, read again after each
        // eviction.
        settings.put("dbStorage_readAheadCacheBatchBytesSize", Long.toString((readAhead << 20) / 16));
        // Beside heap and direct memory, in RocksDB itself.
        settings.put("dbStorage_rocksDB_blockCacheSize", Long.toString(16 << 20));
        settings.put("dbStorage_rocksDB_writeBufferSizeMB", "4");
        settings.put("maxMessagePublishBufferSizeInMB", Long.toString(Math.max(32, mebibytes / 16)));
        settings.put("numIOThreads", "2");
        settings.put("numOrderedExecutorThreads", "2");
        settings.put("numHttpServerThreads", "8");
        settings.put("managedLedgerNumSchedulerThreads", "2");
        settings.put("bookkeeperClientNumWorkerThreads", "2");
        settings.put("bookkeeperClientNumIoThreads", "2");
        return settings;
    }

    static String loopback() {
        try {
            return NetworkInterface.getByInetAddress(InetAddress.getByName("127.0.0.1"))
                    .getName();
        } catch (IOException e) {
            throw new EnvironmentException("cannot find the loopback interface: " + e.getMessage(), e);
        }
    }

    /** The ports that the server in {@code directory} was last told to use; null where none ever was. */
    static PortsOfServer ports(Path directory) {
        if (!Files.exists(directory.resolve(SETTINGS))) {
            return null;
        }
        Properties settings = properties(directory.resolve(SETTINGS));
        return new PortsOfServer(
                Integer.parseInt(settings.getProperty("brokerServicePort")),
                Integer.parseInt(settings.getProperty("webServicePort")),
                Integer.parseInt(settings.getProperty("bookiePort")),
                Integer.parseInt(settings.getProperty("httpServerPort")));
    }

    /** The name that tells this server from every other; made with the data, and as old as they are. */
    static String clusterName(Path directory) {
        Path file = data(directory).resolve("cluster");
        try {
            if (!Files.exists(file)) {
                byte[] random = new byte[6];
                new SecureRandom().nextBytes(random);
                Files.createDirectories(file.getParent());
                Files.writeString(file, "millrace-" + HexFormat.of().formatHex(random));
            }
            return Files.readString(file).trim();
        } catch (IOException e) {
            throw new EnvironmentException("cannot write " + file + ": " + e.getMessage(), e);
        }
    }

    /** Whether there are data of a bookie, which are bound to its port. */
    static boolean hasBookie(Path directory) {
        return Files.exists(data(directory).resolve("bookkeeper").resolve("current"));
    }

    private static Path data(Path directory) {
        return directory.resolve("data");
    }

    private static Properties properties(Path file) {
        Properties properties = new Properties();
        try (InputStream stream = Files.newInputStream(file)) {
            properties.load(stream);
            return properties;
        } catch (IOException e) {
            throw new EnvironmentException("cannot read " + file + ": " + e.getMessage(), e);
        }
    }

    /** The command of the server's process; heap, direct memory and what is beside them stay below {@code memoryBytes}. */
    static List<String> command(Path directory, Path distribution, int bookiePort, long memoryBytes) {
        long mebibytes = memoryBytes >> 20;
        // Heap and direct memory alike: with a quarter of 1536MiB for the latter the server ended itself in a burst, as
        // it
        // does when it has none left. Beside them are metaspace and code.
        long share = Math.min(mebibytes * 35 / 100, (mebibytes - METASPACE_MEBIBYTES - CODE_MEBIBYTES) / 2);
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xms128m",
                "-Xmx" + share + "m",
                "-XX:MaxDirectMemorySize=" + share + "m",
                "-XX:MaxMetaspaceSize=" + METASPACE_MEBIBYTES + "m",
                "-XX:ReservedCodeCacheSize=" + CODE_MEBIBYTES + "m",
                "-XX:+UseG1GC",
                "-XX:MaxGCPauseMillis=20",
                "-XX:+ExitOnOutOfMemoryError",
                // A file in the system's own folder for temporary ones, whatever java.io.tmpdir is.
                "-XX:-UsePerfData",
                "-XX:ErrorFile=" + directory.resolve("pulsar-crash.log")));
        command.addAll(CollectorLog.options(directory.resolve(LOG)));
        // What the distribution's own script opens.
        for (String opened : List.of(
                "java.base/java.io",
                "java.base/java.nio",
                "java.base/java.util.zip",
                "java.base/jdk.internal.misc",
                "java.base/jdk.internal.platform",
                "java.management/sun.management",
                "jdk.management/com.sun.management.internal")) {
            command.add("--add-opens=" + opened + "=ALL-UNNAMED");
        }
        command.addAll(List.of(
                "-Djava.io.tmpdir=" + ServerFiles.scratch(directory),
                "-Djava.awt.headless=true",
                "-Djava.net.preferIPv4Stack=true",
                "-Dio.netty.tryReflectionSetAccessible=true",
                "-Dpulsar.allocator.exit_on_oom=true",
                "-Dlog4j2.is.webapp=false",
                "-Dlog4j2.configurationFile=" + directory.resolve(LOG_SETTINGS),
                "-cp",
                distribution.resolve("lib") + File.separator + "*",
                "org.apache.pulsar.PulsarStandaloneStarter",
                "--config",
                directory.resolve(SETTINGS).toString(),
                "--no-functions-worker",
                "--no-stream-storage",
                "--metadata-dir",
                data(directory).resolve("metadata").toString(),
                "--bookkeeper-dir",
                data(directory).resolve("bookkeeper").toString(),
                "--bookkeeper-port",
                Integer.toString(bookiePort)));
        return command;
    }
}
