package dev.millrace.deploy.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.deploy.kubernetes.TestCluster.Ended;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A stack's whole life on a cluster with real pods: the commands are those that a person types. */
@Tag("cluster")
class RealPodsTest {
    private static final Duration UP_BOUND = Duration.ofMinutes(10);
    private static final Duration SOON = Duration.ofMinutes(3);
    /** Each look takes two JVMs from the pods that start. */
    private static final Duration LOOK = Duration.ofSeconds(6);

    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    static Path directory;

    @TempDir
    Path runDirectory;

    private static TestCluster cluster;

    static List<String> brokers() throws IOException {
        return TestCluster.brokers();
    }

    @BeforeAll
    static void up() throws IOException {
        cluster = TestCluster.up(directory.resolve("cluster"), brokers());
    }

    @AfterAll
    static void down() {
        if (cluster != null) {
            cluster.close();
        }
    }

    @ParameterizedTest
    @MethodSource("brokers")
    @DisplayName(
            "rows equal after a TaskManager, the JobManager and the broker were killed and after scaling; down leaves nothing of it"
                    + " and everything of others")
    void life(String broker) throws Exception {
        try {
            live(broker);
        } catch (Throwable failed) {
            // Its own words, and then room for the next one's stack.
            try {
                cluster.millrace(SOON, "logs", "--broker", broker, "--lines", "60");
                cluster.millrace(SOON, "down", "--broker", broker, "--data");
            } catch (IllegalStateException notEnded) {
                failed.addSuppressed(notEnded);
            }
            throw failed;
        }
    }

    private void live(String broker) throws Exception {
        String namespace = "millrace-" + broker;
        Ended typo = cluster.millrace(SOON, "up", "--broker", broker, "--broker.memry=1GiB");
        assertThat(typo.code()).as(typo.out()).isEqualTo(2);
        assertThat(typo.out()).contains("unknown key 'memry'. Did you mean 'memory'?");
        long start = System.nanoTime();
        Ended up = millrace(UP_BOUND, "up", "--broker", broker);
        assertThat(up.code()).as(up.out()).isZero();
        assertThat(up.out()).contains("The store holds exactly what the ledger says");
        System.out.println(broker + ": rows audited after " + (System.nanoTime() - start) / 1_000_000_000 + " s");
        cluster.kubectl("create", "configmap", "foreign", "--namespace", namespace, "--from-literal=of=others");

        for (String part : List.of("taskmanager", "jobmanager", broker)) {
            kill(namespace, part);
            awaitReady(namespace, part);
        }
        assertAuditMovesOn(broker);

        assertThat(millrace(UP_BOUND, "scale", "--broker", broker, "--parallelism", "4")
                        .code())
                .isZero();
        JsonNode scaled = assertAuditMovesOn(broker);
        assertThat(scaled.path("parallelism").asInt()).isEqualTo(4);
        // Read back from the broker that runs, in its own words.
        assertThat(scaled.path("replicas").asInt()).isEqualTo(1);
        assertThat(scaled.path("acks").asText()).isNotBlank();
        assertThat(scaled.path("fsync").asText()).isNotBlank();
        assertNothingSecretIsShown(broker, namespace, scaled);

        // These name no broker, in code or manifests: with each of them it would be minutes of CI for nothing new.
        if (broker.equals(brokers().get(0))) {
            assertUpChangesNothing(broker);
            assertGoesOnFromItsVolumes(broker);
        }

        Ended down = cluster.millrace(SOON, "down", "--broker", broker, "--data");
        assertThat(down.out()).contains("The namespace stays, for others keep things in it: ConfigMap/foreign");
        assertThat(cluster.kubectl(
                                "get",
                                "all,configmaps,secrets,persistentvolumeclaims,serviceaccounts,networkpolicies,poddisruptionbudgets",
                                "--namespace",
                                namespace,
                                "--output",
                                "name")
                        .out()
                        .lines())
                .containsExactlyInAnyOrder("configmap/foreign", "configmap/kube-root-ca.crt", "serviceaccount/default");
    }

    private void assertUpChangesNothing(String broker) {
        Ended again = millrace(UP_BOUND, "up", "--broker", broker, "--parallelism", "4");
        assertThat(again.out()).contains("objects are as they should be").doesNotContain("  ~ ");
    }

    private void assertGoesOnFromItsVolumes(String broker) throws Exception {
        assertThat(cluster.millrace(SOON, "down", "--broker", broker).out())
                .contains("volumes, their Secrets and settings stay");
        Ended other = cluster.millrace(
                UP_BOUND, "up", "--broker", broker, "--base", "this-machine", "--window", "3s", "--dry-run");
        assertThat(other.code()).isEqualTo(2);
        assertThat(other.out()).contains("the stack's data are made with other settings: window");
        assertThat(millrace(UP_BOUND, "up", "--broker", broker).code()).isZero();
        assertAuditMovesOn(broker);
    }

    private Ended millrace(Duration bound, String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--base", "this-machine"));
        if (arguments[0].equals("up")) {
            all.addAll(List.of("--run-dir", runDirectory.toString()));
            // Several windows close while anything is waited for.
            all.addAll(List.of(
                    "--window", "2s", "--out-of-orderness", "1s", "--checkpoint-interval", "1s", "--rate", "1000"));
        }
        return cluster.millrace(bound, all.toArray(String[]::new));
    }

    /** SIGKILL, and no word before. */
    private static void kill(String namespace, String part) {
        Ended killed = cluster.kubectl(
                "delete",
                "pod",
                "--namespace",
                namespace,
                "--selector",
                "app.kubernetes.io/name=" + part,
                "--force",
                "--grace-period=0");
        assertThat(killed.out()).contains("deleted");
    }

    /** Asked of the API server, for each of our own questions takes a JVM from the pods that start. */
    private static void awaitReady(String namespace, String part) {
        long deadline = System.nanoTime() + SOON.toNanos();
        Ended waited;
        do {
            assertThat(System.nanoTime()).as(part + " is ready again").isLessThan(deadline);
            waited = cluster.kubectl(
                    "wait",
                    "pod",
                    "--namespace",
                    namespace,
                    "--selector",
                    "app.kubernetes.io/name=" + part,
                    "--for",
                    "condition=Ready",
                    "--timeout",
                    "60s");
        } while (waited.code() != 0);
    }

    private static JsonNode status(String broker) throws IOException {
        Ended status = cluster.millrace(SOON, "status", "--broker", broker, "--json");
        assertThat(status.code()).as(status.out()).isZero();
        return JSON.readTree(status.out().lines().reduce((first, last) -> last).orElseThrow());
    }

    private static boolean isRunning(JsonNode status) {
        boolean ready = status.path("state").asText().equals("running");
        for (JsonNode pod : status.path("pods")) {
            ready &= pod.path("state").asText().equals("ready");
        }
        return ready && status.path("pods").size() == 5;
    }

    /**
     * All pods run, the broker has said its settings, windows that ended after this moment are in the store, and all that are
     * there are equal.
     *
     * @return the status then
     */
    private static JsonNode assertAuditMovesOn(String broker) throws Exception {
        Instant now = Instant.now();
        long deadline = System.nanoTime() + SOON.toNanos();
        JsonNode status = null;
        do {
            assertThat(System.nanoTime()).as("rows go on, last seen " + status).isLessThan(deadline);
            if (status != null) {
                LockSupport.parkNanos(LOOK.toNanos());
            }
            status = status(broker);
        } while (!isRunning(status)
                || !status.hasNonNull("replicas")
                || !status.hasNonNull("lastWindowEnd")
                || Instant.parse(status.path("lastWindowEnd").asText()).isBefore(now));
        Ended audit = cluster.millrace(SOON, "audit", "--broker", broker, "--json");
        assertThat(audit.code()).as(audit.out()).isZero();
        assertThat(audit.out()).contains("\"ok\":true");
        return status;
    }

    private void assertNothingSecretIsShown(String broker, String namespace, JsonNode status) throws IOException {
        JsonNode secrets = JSON.readTree(cluster.kubectl("get", "secrets", "--namespace", namespace, "--output", "json")
                .out());
        List<String> values = new ArrayList<>();
        for (JsonNode secret : secrets.path("items")) {
            // Certificates are for everybody to see, and the broker's id is its cluster's name: clients log both.
            for (String key : List.of("store.id", "tls.key")) {
                String encoded = secret.path("data").path(key).asText();
                new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8)
                        .lines()
                        .filter(line -> !line.startsWith("-----"))
                        .forEach(values::add);
            }
        }
        assertThat(values).hasSizeGreaterThan(5).allMatch(value -> value.length() >= 16);
        List<String> shown = new ArrayList<>();
        shown.add(status.toString());
        for (Ended ended : List.of(
                cluster.millrace(SOON, "logs", "--broker", broker, "--lines", "100000"),
                cluster.run(SOON, List.of("ps", "-eo", "args")),
                cluster.kubectl("get", "all,configmaps", "--namespace", namespace, "--output", "yaml"))) {
            assertThat(ended.code()).as(ended.out()).isZero();
            assertThat(ended.out()).isNotBlank();
            shown.add(ended.out());
        }
        try (Stream<Path> files = Files.walk(runDirectory)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                shown.add(Files.readString(file));
            }
        }
        for (String value : values) {
            assertThat(shown).noneMatch(text -> text.contains(value));
        }
    }
}
