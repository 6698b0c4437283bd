package dev.millrace.deploy.local.supervisor;

import dev.millrace.connectors.api.local.CollectorLog;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.LocalFolder;
import dev.millrace.core.settings.Options;
import dev.millrace.deploy.local.FlinkConfig;
import dev.millrace.deploy.local.Installation;
import dev.millrace.deploy.local.PropertiesFile;
import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.deploy.local.Site;
import dev.millrace.deploy.local.StackMemory;
import dev.millrace.deploy.local.StackSettings;
import dev.millrace.deploy.local.StackState;
import dev.millrace.deploy.local.part.ProcessLaunch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The settings files and command lines of the processes of a stack that are ours: they are written when asked for. */
public final class StackFiles {
    private static final List<String> TO_GENERATOR = List.of(
            "rate",
            "shape",
            "shape-rate",
            "shape-period",
            "devices",
            "first-device",
            "all-devices",
            "seed",
            "start",
            "acceleration",
            "payload-bytes",
            "payload-entropy",
            "skew",
            "out-of-order-share",
            "late-share",
            "burn-micros",
            "out-of-orderness");
    private static final List<String> TO_JOB = List.of(
            "job",
            "window",
            "slide",
            "out-of-orderness",
            "max-ahead",
            "idle-after",
            "parallelism",
            "checkpoint-interval",
            "state-backend",
            "pre-aggregation-memory");

    private static final String LOG_LINE = "%d{yyyy-MM-dd HH:mm:ss.SSS} %-5p [%t] %c{1} - %m%n%xEx";
    private static final String LOGGING = String.join(
            "\n",
            "# Written at every start.",
            "shutdownHook = disable",
            "rootLogger.level = INFO",
            // Ten lines a second otherwise, about nothing but the alignment of watermarks.
            "logger.alignment.name = org.apache.flink.runtime.source.coordinator.SourceCoordinator",
            "logger.alignment.level = WARN",
            // Flink 1.20 registers this gauge anew at every checkpoint and warns that it is there: at 300 ms that is in
            // a day five times what is kept of a log.
            "logger.metrics.name = org.apache.flink.metrics.MetricGroup",
            "logger.metrics.level = INFO",
            "logger.metrics.filter.again.type = RegexFilter",
            "logger.metrics.filter.again.regex = .*'pendingCommittables'.*",
            "logger.metrics.filter.again.onMatch = DENY",
            "logger.metrics.filter.again.onMismatch = NEUTRAL");

    private final Installation installation;
    private final Path jobJar;
    private final Path plugin;
    private final RunDirectory directory;
    private final StackSettings settings;
    private final Site site;
    private final FlinkConfig flink;

    /**
     * @param jobJar the one that the Flink processes run
     * @param plugin the folder of the broker's plugin, for Flink processes and generator
     */
    public StackFiles(
            Installation installation,
            Path jobJar,
            Path plugin,
            RunDirectory directory,
            StackSettings settings,
            Site site) {
        this.installation = installation;
        this.jobJar = jobJar;
        this.plugin = plugin;
        this.directory = directory;
        this.settings = settings;
        this.site = site;
        this.flink = new FlinkConfig(directory, settings, site);
    }

    public ProcessLaunch generator(Options broker) {
        Map<String, String> values = client(broker);
        TO_GENERATOR.forEach(key -> settings.values().get(key).ifPresent(value -> values.put(key, value)));
        int port = site.port(Site.GENERATOR, StackState.GENERATOR);
        values.put("port", Integer.toString(port));
        // Orders are taken on loopback only; who looks from elsewhere asks there.
        values.put("look-host", site.bind());
        values.put("readings", Long.toString(settings.readingsToSend()));
        values.put("directory", directory.generatorFolder().toString());
        values.put("disk", directory.path().toString());
        values.put("audit-note", directory.auditFile().toString());
        if (settings.text("latency-log").equals("true")) {
            values.put("latency-log", directory.latencyLog().toString());
        }
        Path file = directory.generatorFolder().resolve("generator.properties");
        PropertiesFile.write(file, values);
        List<String> command =
                java(StackState.GENERATOR, "-Xmx" + mebibytes(StackMemory.GENERATOR_HEAP_BYTES), "-XX:+UseParallelGC");
        command.addAll(List.of("-cp", withPlugin(installation.classPath(), plugin)));
        command.addAll(List.of("dev.millrace.connectors.generator.Main", "--settings", file.toString()));
        String url = "http://127.0.0.1:" + port;
        return new ProcessLaunch(command, values.toString(), url, url + "/metrics");
    }

    public ProcessLaunch jobManager(Options broker, Options store) {
        Path folder = directory.flinkFolder().resolve(StackState.JOB_MANAGER);
        String config = flink.writeJobManager(folder);
        Path file = folder.resolve("job.properties");
        Map<String, String> job = job(broker, store);
        PropertiesFile.write(file, job);
        List<String> command = flinkJava(
                StackState.JOB_MANAGER,
                "-Xmx" + mebibytes(StackMemory.JOB_MANAGER_HEAP_BYTES),
                "-XX:MaxMetaspaceSize=" + mebibytes(StackMemory.JOB_MANAGER_METASPACE_BYTES),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1");
        command.add("dev.millrace.connectors.job.JobManager");
        command.addAll(List.of("--configDir", folder.toString(), "--settings", file.toString()));
        return new ProcessLaunch(
                command,
                config + job,
                "http://" + site.host(StackState.JOB_MANAGER) + ":" + site.port(Site.WEB, StackState.JOB_MANAGER),
                metrics(StackState.JOB_MANAGER, Site.JOB_MANAGER_METRICS));
    }

    public ProcessLaunch taskManager() {
        Path folder = directory.flinkFolder().resolve(StackState.TASK_MANAGER);
        String config = flink.writeTaskManager(folder);
        List<String> command = flinkJava(
                StackState.TASK_MANAGER,
                "-Xmx" + flink.heapBytes(),
                "-XX:MaxDirectMemorySize=" + flink.directBytes(),
                "-XX:MaxMetaspaceSize=" + FlinkConfig.metaspaceBytes(),
                "-XX:+UseParallelGC");
        command.add("org.apache.flink.runtime.taskexecutor.TaskManagerRunner");
        command.addAll(List.of("--configDir", folder.toString()));
        return new ProcessLaunch(command, config, "", metrics(StackState.TASK_MANAGER, Site.TASK_MANAGER_METRICS));
    }

    /** What the process of that name leaves when it is killed, of its state and its libraries: the next one begins with empty folders. */
    List<Path> scratch(String name) {
        List<Path> folders = new ArrayList<>(List.of(temporary(name)));
        if (name.equals(StackState.TASK_MANAGER)) {
            folders.addAll(flink.scratch(directory.flinkFolder().resolve(name)));
        }
        return folders;
    }

    private Path temporary(String name) {
        return directory.supervisorFolder().resolve("tmp").resolve(name);
    }

    private static String mebibytes(long bytes) {
        return (bytes >> 20) + "m";
    }

    private String metrics(String part, String purpose) {
        return "http://" + site.host(part) + ":" + site.port(purpose, part) + "/metrics";
    }

    private Map<String, String> client(Options broker) {
        Map<String, String> values = new TreeMap<>();
        values.put("broker", settings.broker());
        broker.asMap().forEach((key, value) -> values.put("broker." + key, value));
        values.put("topic", settings.topic());
        return values;
    }

    private Map<String, String> job(Options broker, Options store) {
        Map<String, String> values = client(broker);
        TO_JOB.forEach(key -> values.put(key, settings.text(key)));
        if (settings.rateIsMax() || settings.values().get("start").isPresent() || settings.acceleration() > 1) {
            // The generator's time is then not the clock's.
            values.put("max-ahead", "0s");
        }
        values.put("reader-group", settings.readerGroup());
        values.put("stop-at", settings.isBounded() ? "end" : "never");
        values.put("store", settings.store());
        store.asMap().forEach((key, value) -> values.put("store." + key, value));
        values.put("checkpoint-directory", LocalFolder.location(directory.checkpoints()));
        if (settings.isRocksDb()) {
            values.put("state-directory", flink.rocksDbFolder().toString());
        }
        if (settings.resultsToTopic()) {
            values.put("results-topic", settings.resultsTopic());
            settings.values().get("results-send-limit").ifPresent(limit -> values.put("results-send-limit", limit));
        }
        return values;
    }

    private List<String> flinkJava(String name, String... options) {
        List<String> command = java(name, options);
        command.addAll(List.of("-cp", withPlugin(jobJar + ":" + installation.flinkClassPath(), plugin)));
        return command;
    }

    private static String withPlugin(String classPath, Path folder) {
        return classPath + ":" + folder.resolve("*");
    }

    /** The part of the command line that is the same for every process; the rest is added by the caller. */
    private List<String> java(String name, String... options) {
        Path temporary = temporary(name);
        try {
            Files.createDirectories(temporary);
            Files.createDirectories(directory.logs());
        } catch (IOException e) {
            throw new EnvironmentException("cannot make " + temporary + ": " + e.getMessage(), e);
        }
        List<String> command = new ArrayList<>();
        command.add(Installation.java());
        command.addAll(List.of(options));
        command.addAll(Installation.addOpens());
        command.add("-XX:+ExitOnOutOfMemoryError");
        command.add("-XX:-UsePerfData");
        command.addAll(CollectorLog.options(log(name)));
        command.add("-XX:ErrorFile=" + directory.logs().resolve(name + "-crash-%p.log"));
        command.add("-Djava.io.tmpdir=" + temporary);
        command.add("-Dlog.file=" + log(name));
        command.add("-Dlog4j2.configurationFile=" + logging(name).toUri());
        return command;
    }

    /** Where the process of that name logs. */
    Path log(String name) {
        return directory.logs().resolve(name + ".log");
    }

    private Path logging(String name) {
        Path file = directory.supervisorFolder().resolve(name + "-log4j2.properties");
        PropertiesFile.replace(file, site.logsToOutput() ? logging() : logging(log(name)));
        return file;
    }

    private static String logging() {
        return String.join(
                "\n",
                LOGGING,
                "rootLogger.appenderRef.output.ref = output",
                "appender.output.name = output",
                "appender.output.type = Console",
                "appender.output.layout.type = PatternLayout",
                "appender.output.layout.pattern = " + LOG_LINE,
                "");
    }

    /** Five files of 10 MB at most. */
    private static String logging(Path log) {
        return String.join(
                "\n",
                LOGGING,
                "rootLogger.appenderRef.file.ref = file",
                "appender.file.name = file",
                "appender.file.type = RollingFile",
                "appender.file.fileName = " + log,
                "appender.file.filePattern = " + log + ".%i",
                "appender.file.layout.type = PatternLayout",
                "appender.file.layout.pattern = " + LOG_LINE,
                "appender.file.policies.type = Policies",
                "appender.file.policies.size.type = SizeBasedTriggeringPolicy",
                "appender.file.policies.size.size = 10MB",
                "appender.file.strategy.type = DefaultRolloverStrategy",
                "appender.file.strategy.max = 4",
                "");
    }

    /** The supervisor's own command line. */
    List<String> supervisor() {
        List<String> command = java(
                StackState.SUPERVISOR,
                "-Xmx" + mebibytes(StackMemory.SUPERVISOR_HEAP_BYTES),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xshare:auto");
        command.add("-Dmillrace.root=" + installation.root());
        // Seconds. Who asks and then neither says what nor reads the answer must not keep others from the metrics.
        command.addAll(List.of("-Dsun.net.httpserver.maxReqTime=10", "-Dsun.net.httpserver.maxRspTime=30"));
        // The clone's: a plugin finds its server beside itself.
        Path clones = installation.builtPlugin(settings.broker());
        command.addAll(List.of("-cp", withPlugin(installation.classPath(), clones)));
        command.addAll(List.of(Supervisor.class.getName(), directory.path().toString()));
        return command;
    }
}
