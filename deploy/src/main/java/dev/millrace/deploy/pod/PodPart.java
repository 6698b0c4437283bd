package dev.millrace.deploy.pod;

import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.connectors.api.store.ResultStore;
import dev.millrace.connectors.api.store.ResultStores;
import dev.millrace.connectors.api.store.StoreClient;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.Options;
import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.local.FlinkKeys;
import dev.millrace.deploy.local.Installation;
import dev.millrace.deploy.local.PropertiesFile;
import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.deploy.local.StackSettings;
import dev.millrace.deploy.local.StackState;
import dev.millrace.deploy.local.StackTopics;
import dev.millrace.deploy.local.supervisor.StackFiles;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;

/**
 * Makes one part of a stack ready to start in its pod: {@code java @RUN/BROKER/java.args} is all that is left to do. Used by one
 * thread.
 */
public final class PodPart {
    private static final Duration WAIT_BOUND = Duration.ofMinutes(5);
    /** Since the broker answers. */
    private static final Duration REFUSED_BOUND = Duration.ofMinutes(1);

    private static final Duration LOOK = Duration.ofSeconds(1);
    static final int STORE_PORT = 8123;

    /**
     * What the pod has been given.
     *
     * @param settings a folder with {@code stack.properties} (the settings of {@code up}), {@code broker.properties} (how clients
     *     reach the broker), {@code store.id} (what clients of the store must know) and {@code tls} (the part's certificate and key,
     *     {@code tls.crt} and {@code tls.key}, and its authority's {@code ca.crt})
     * @param run empty at the pod's start, and gone with it
     * @param data what must outlive the pod
     * @param keys in memory, for what is made of the keys; Flink's parts have one
     * @param address of the pod
     */
    public record Places(Path settings, Path run, Path data, Path keys, String address) {}

    private final Installation installation;
    private final Places places;
    private final Optional<String> jobUrl;
    private final PrintWriter out;
    private final StackSettings settings;
    private final RunDirectory directory;

    /** @param jobUrl where the job's REST interface is, when an operator runs Flink; empty when pods of this stack do */
    public PodPart(Installation installation, Places places, Optional<String> jobUrl, PrintWriter out) {
        this.installation = installation;
        this.places = places;
        this.jobUrl = jobUrl;
        this.out = out;
        this.settings = StackSettings.bind(
                "settings file " + places.settings().resolve("stack.properties"),
                Options.of(properties("stack.properties")));
        this.directory = RunDirectory.of(places.run(), settings.broker());
    }

    private StackFiles files(Optional<FlinkKeys> keys) {
        return new StackFiles(
                installation,
                installation.jobJar(),
                installation.builtPlugin(settings.broker()),
                directory,
                settings,
                new PodSite(places.address(), keys));
    }

    private Path tls(String file) {
        return places.settings().resolve("tls").resolve(file);
    }

    private FlinkKeys flinkKeys(boolean rest) {
        return FlinkKeys.write(places.keys(), places.settings().resolve("tls"), rest);
    }

    /** @param part {@link StackState#STORE}, {@link StackState#JOB_MANAGER} and so on; the broker's own server is not one of them */
    public void prepare(String part) {
        List<String> command =
                switch (part) {
                    case StackState.STORE -> store();
                    case StackState.JOB_MANAGER -> jobManager();
                    case StackState.TASK_MANAGER -> taskManager();
                    case StackState.GENERATOR -> generator();
                    default ->
                        throw new UserException("there is no part '" + part
                                + "' to prepare; there are: store, jobmanager," + " taskmanager, generator");
                };
        ArgumentFile.write(places.run().resolve("java.args"), command);
        out.println("prepared: " + part);
        out.flush();
    }

    private List<String> store() {
        ResultStore store = ResultStores.named(settings.store());
        keep(directory.storeFolder());
        return store.command(
                directory.storeFolder(),
                settings.storeOptions()
                        .with("host", places.address())
                        .with("name", StackState.STORE)
                        .with("port", Integer.toString(STORE_PORT))
                        .with("id", storeId())
                        .with("certificate", tls("tls.crt").toString())
                        .with("key", tls("tls.key").toString()));
    }

    private List<String> jobManager() {
        keep(directory.checkpoints());
        keep(directory.savepoints());
        topics();
        try (StoreClient client = ResultStores.named(settings.store()).connect(storeOptions())) {
            client.prepare();
        }
        FlinkKeys keys = flinkKeys(true);
        return files(Optional.of(keys))
                .jobManager(brokerOptions(), storeOptions())
                .command();
    }

    private List<String> taskManager() {
        keep(directory.checkpoints());
        keep(directory.savepoints());
        return files(Optional.of(flinkKeys(false))).taskManager().command();
    }

    private List<String> generator() {
        keep(directory.generatorFolder());
        link(directory.tls(), places.settings().resolve("tls"));
        topics();
        PropertiesFile.write(directory.stackFile(), settings.values().asMap());
        PropertiesFile.write(directory.endpointsFile(), endpoints().toProperties());
        return files(Optional.empty()).generator(brokerOptions()).command();
    }

    /** For the commands that are run in this pod: status, results, audit and their like. */
    StackState endpoints() {
        Map<String, StackState.Part> parts = new LinkedHashMap<>();
        parts.put(StackState.BROKER, elsewhere("", ""));
        parts.put(
                StackState.STORE,
                settings.isForeignStore()
                        ? foreign(settings.text("store-url"))
                        : elsewhere(storeUrl(), storeUrl() + "/metrics"));
        if (jobUrl.isPresent()) {
            parts.put(StackState.JOB_MANAGER, foreign(jobUrl.get()));
            parts.put(StackState.TASK_MANAGER, foreign(""));
        } else {
            parts.put(
                    StackState.JOB_MANAGER,
                    elsewhere("https://" + StackState.JOB_MANAGER + ":8081", metrics(StackState.JOB_MANAGER)));
            parts.put(StackState.TASK_MANAGER, elsewhere("", metrics(StackState.TASK_MANAGER)));
        }
        String generator = "http://127.0.0.1:8090";
        parts.put(StackState.GENERATOR, elsewhere(generator, generator + "/metrics"));
        parts.put(StackState.SUPERVISOR, elsewhere("", ""));
        return new StackState(
                StackState.State.RUNNING,
                "",
                installation.jobJarSha256(),
                System.currentTimeMillis(),
                parts,
                brokerOptions().get("address").orElse(""),
                brokerOptions(),
                storeOptions());
    }

    private static String metrics(String flinkPart) {
        return "https://" + flinkPart + ":9249/metrics";
    }

    private static StackState.Part elsewhere(String url, String metricsUrl) {
        return new StackState.Part(0, StackState.ELSEWHERE, 0, url, metricsUrl, "");
    }

    private static StackState.Part foreign(String url) {
        return new StackState.Part(0, StackState.FOREIGN, 0, url, "", "");
    }

    /** Waits for the broker, which may come up beside this pod, and makes what is missing. */
    private void topics() {
        long deadline = System.nanoTime() + WAIT_BOUND.toNanos();
        long refusedSince = 0;
        while (true) {
            try (BrokerClient client = installation.load(settings.broker()).connect(brokerOptions())) {
                StackTopics.of(settings).forEach(spec -> StackTopics.make(client, spec));
                return;
            } catch (EnvironmentException e) {
                await(e, deadline);
            } catch (UserException e) {
                // A broker that has just begun to answer may miss what it will make itself, such as its first tenant.
                refusedSince = refusedSince == 0 ? System.nanoTime() : refusedSince;
                await(e, Math.min(deadline, refusedSince + REFUSED_BOUND.toNanos()));
            }
        }
    }

    private void await(RuntimeException why, long deadline) {
        if (System.nanoTime() > deadline) {
            throw why;
        }
        out.println("waiting for the broker: " + why.getMessage());
        out.flush();
        LockSupport.parkNanos(LOOK.toNanos());
    }

    private Options brokerOptions() {
        Map<String, String> values = new TreeMap<>(settings.brokerOptions().asMap());
        values.putAll(properties("broker.properties"));
        return Options.of(values);
    }

    private Options storeOptions() {
        return settings.isForeignStore()
                ? settings.storeOptions()
                        .with("url", settings.text("store-url"))
                        .with("database", settings.text("store-database"))
                : Options.of(Map.of(
                        "url", storeUrl(), "id", storeId(), "ca", tls("ca.crt").toString()));
    }

    private static String storeUrl() {
        return "https://" + StackState.STORE + ":" + STORE_PORT;
    }

    private String storeId() {
        Path file = places.settings().resolve("store.id");
        try {
            return Files.readString(file).trim();
        } catch (IOException e) {
            throw new EnvironmentException("cannot read " + file + ": " + e.getMessage(), e);
        }
    }

    private Map<String, String> properties(String name) {
        Path file = places.settings().resolve(name);
        return PropertiesFile.read(file)
                .orElseThrow(
                        () -> new EnvironmentException("there is no " + file + "; the pod's settings are not mounted"));
    }

    /** Puts a folder of the run directory where it outlives the pod. */
    private void keep(Path folder) {
        Path kept = places.data().resolve(folder.getFileName());
        try {
            Files.createDirectories(kept);
        } catch (IOException e) {
            throw new EnvironmentException("cannot make " + kept + ": " + e.getMessage(), e);
        }
        link(folder, kept);
    }

    private static void link(Path link, Path target) {
        try {
            Files.createDirectories(link.getParent());
            if (!Files.isSymbolicLink(link)) {
                Files.createSymbolicLink(link, target);
            }
        } catch (IOException e) {
            throw new EnvironmentException("cannot link " + link + " to " + target + ": " + e.getMessage(), e);
        }
    }
}
