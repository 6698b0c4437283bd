package dev.millrace.deploy.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.deploy.kubernetes.cluster.ClusterStack;
import dev.millrace.deploy.kubernetes.cluster.LoopbackCluster;
import dev.millrace.deploy.kubernetes.production.Needs;
import dev.millrace.deploy.local.Installation;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** Which stack is shown, and in which form; skipped where there is no kubectl. */
class StatusVerbTest {
    private static final Installation INSTALLATION = Installation.here();

    @TempDir
    private Path folder;

    private LoopbackCluster there;

    static List<String> brokers() {
        return INSTALLATION.brokers().stream()
                .filter(broker -> Needs.find(INSTALLATION, broker).isPresent())
                .toList();
    }

    @BeforeEach
    void start() throws IOException {
        there = new LoopbackCluster();
    }

    @AfterEach
    void stop() {
        there.close();
    }

    private String said(String broker) throws IOException {
        Path kubeconfig = folder.resolve("kubeconfig");
        Files.writeString(
                kubeconfig,
                """
                apiVersion: v1
                kind: Config
                clusters: [{name: loopback, cluster: {server: "%s"}}]
                users: [{name: nobody, user: {}}]
                contexts: [{name: loopback, context: {cluster: loopback, user: nobody}}]
                """
                        .formatted(there.cluster().client().getMasterUrl()));
        StringWriter said = new StringWriter();
        StatusVerb verb = new StatusVerb();
        new CommandLine(verb)
                .setOut(new PrintWriter(said))
                .parseArgs("--context", "loopback", "--kubeconfig", kubeconfig.toString(), "--broker", broker);
        int code = WithKubectl.ask(kubectl -> verb.call());
        assertThat(code).isZero();
        return said.toString();
    }

    @ParameterizedTest
    @MethodSource("brokers")
    @DisplayName("a stack of the production shape has its form in a namespace of any name")
    void elsewhere(String broker) throws IOException {
        there.with(
                "statefulsets",
                """
                apiVersion: apps/v1
                kind: StatefulSet
                metadata:
                  name: generator
                  namespace: sensors
                  labels:
                    app.kubernetes.io/name: generator
                    app.kubernetes.io/managed-by: millrace
                    millrace.dev/stack: %s
                    millrace.dev/size: c5-i7i
                spec: {template: {metadata: {name: generator}}}
                """
                        .formatted(broker));
        assertThat(said(broker)).contains("size         c5-i7i\n", "namespace    sensors on loopback\n");
        // What a small one left behind has no form.
        there.with(
                "persistentvolumeclaims",
                """
                apiVersion: v1
                kind: PersistentVolumeClaim
                metadata:
                  name: data-store-0
                  namespace: %s
                  labels: {app.kubernetes.io/managed-by: millrace, millrace.dev/stack: %s}
                """
                        .formatted(ClusterStack.usualNamespace(broker), broker));
        assertThat(said(broker)).contains("size         c5-i7i\n", "namespace    sensors on loopback\n");
    }
}
