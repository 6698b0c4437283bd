package dev.millrace.deploy.kubernetes.manifest;

import dev.millrace.deploy.kubernetes.TestCluster;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Flink's operator as a process on this machine, in charge of a cluster's namespaces. Used by one thread. */
final class FlinkOperator implements AutoCloseable {
    private static final Duration FETCH_BOUND = Duration.ofMinutes(9);
    private static final String FETCH = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies";

    private final Process process;
    private final Path log;

    private FlinkOperator(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    static FlinkOperator start(TestCluster cluster, Path work, List<String> namespaces) throws IOException {
        Path jars = work.resolve("operator");
        TestCluster.Ended fetched = cluster.run(
                FETCH_BOUND,
                List.of(
                        "mvn",
                        "-B",
                        "-q",
                        "-f",
                        cluster.root()
                                .resolve("deploy/testcluster/flink-operator/pom.xml")
                                .toString(),
                        FETCH,
                        "-DincludeScope=runtime",
                        "-DoutputDirectory=" + jars));
        if (fetched.code() != 0) {
            throw new IllegalStateException("Flink's operator was not fetched: " + fetched.out());
        }
        Files.writeString(
                work.resolve("flink-conf.yaml"),
                "kubernetes.operator.watched.namespaces: " + String.join(",", namespaces) + "\n"
                        + "kubernetes.operator.reconcile.interval: 5 s\n"
                        + "kubernetes.operator.health.probe.enabled: false\n"
                        // Outside of a cluster it takes localhost for every JobManager's host: whoever listens at their
                        // usual
                        // port there is somebody's own, and a deployment that is deleted would cancel that job.
                        + "rest.port: " + unusedPort() + "\n");
        Path log = work.resolve("operator.log");
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin/java").toString(),
                        "-Xmx400m",
                        "-XX:+UseSerialGC",
                        "-cp",
                        jars + "/*",
                        "org.apache.flink.kubernetes.operator.FlinkOperator")
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().put("FLINK_CONF_DIR", work.toString());
        builder.environment().put("KUBECONFIG", cluster.kubeconfig().toString());
        return new FlinkOperator(builder.start(), log);
    }

    private static int unusedPort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    /** For the message of a test that failed. */
    String said() throws IOException {
        return Files.readString(log)
                .lines()
                .filter(line -> line.contains("ERROR") || line.contains("Error"))
                .limit(10)
                .toList()
                .toString();
    }

    @Override
    public void close() {
        try {
            process.destroy();
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
