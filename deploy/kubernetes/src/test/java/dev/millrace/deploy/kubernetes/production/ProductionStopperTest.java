package dev.millrace.deploy.kubernetes.production;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.deploy.kubernetes.cluster.ClusterStack;
import dev.millrace.deploy.kubernetes.cluster.LoopbackCluster;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What is deleted, how and in which order; that it works on a real apiserver is ProductionVerbsTest's. */
class ProductionStopperTest {
    private static final String SELECTOR = "example.com/servers=one";
    private static final String OURS = "app.kubernetes.io/managed-by: millrace, millrace.dev/stack: north";
    private static final String MADE = "example.com/servers: one";
    private static final String MADE_OF_OURS = MADE + ", millrace.dev/stack: north";

    private final StringWriter said = new StringWriter();
    private LoopbackCluster there;

    @BeforeEach
    void start() throws IOException {
        there = new LoopbackCluster();
    }

    @AfterEach
    void stop() {
        there.close();
    }

    private ClusterStack stack() {
        return new ClusterStack(there.cluster(), "here", "north");
    }

    private ProductionStopper stopper() {
        return new ProductionStopper(stack(), needs(List.of()), new PrintWriter(said));
    }

    private static Needs needs(List<String> left) {
        return new Needs(
                List.of(kind("servers", "Servers", "broker", true), kind("pools", "Pool", "broker", true)),
                List.of(),
                List.of(),
                List.of(),
                List.of(new Needs.Made("backups.example.com", "v1", "Backup", "Servers", "spec.source")),
                List.of(SELECTOR),
                left);
    }

    private static Needs.Definition kind(String plural, String kind, String stage, boolean data) {
        return new Needs.Definition(plural + ".example.com", "v1", kind, stage, null, data, null, null);
    }

    private static String object(String version, String kind, String name, String labels) {
        return "apiVersion: " + version + "\nkind: " + kind + "\nmetadata: {name: " + name
                + ", namespace: here, labels: {" + labels + "}}\n";
    }

    @Test
    @DisplayName(
            "with data: of a stage the last kind goes first, in the background, and claims go when the pods are gone")
    void downWithData() {
        there.with("servers", object("example.com/v1", "Servers", "one", OURS))
                .with("pools", object("example.com/v1", "Pool", "controller", OURS))
                .with("pools", object("example.com/v1", "Pool", "foreign", MADE))
                .withFleeting("pods", object("v1", "Pod", "one-0", MADE_OF_OURS), 3)
                .with("pods", object("v1", "Pod", "somebodys-0", MADE))
                .with("persistentvolumeclaims", object("v1", "PersistentVolumeClaim", "data-one-0", MADE_OF_OURS))
                .with("persistentvolumeclaims", object("v1", "PersistentVolumeClaim", "of-somebody", MADE));
        assertThat(stopper().down(true)).isEqualTo(3);
        assertThat(there.deleted())
                .containsExactly(
                        "pools/controller Background",
                        "servers/one Background",
                        "persistentvolumeclaims/data-one-0 Foreground");
        assertThat(there.has("pods", "one-0")).isFalse();
        assertThat(said.toString())
                .contains("PersistentVolumeClaim/of-somebody")
                .doesNotContain("data-one-0");
    }

    @Test
    @DisplayName(
            "with data: what an operator made of a stack's object, and leaves when that goes, goes before it; others' stay")
    void madeOfOurs() {
        there.with("servers", object("example.com/v1", "Servers", "one", OURS))
                .with("servers", object("example.com/v1", "Servers", "foreign", MADE))
                .with("backups", backup("of-one", "Servers", "one"))
                .with("backups", backup("of-foreign", "Servers", "foreign"))
                .with("backups", backup("of-a-pool", "Pool", "one"));
        assertThat(stopper().down(false)).isZero();
        assertThat(stopper().down(true)).isEqualTo(2);
        assertThat(there.deleted()).containsExactly("backups/of-one Background", "servers/one Background");
        assertThat(there.has("backups", "of-foreign")).isTrue();
        assertThat(there.has("backups", "of-a-pool")).isTrue();
    }

    @Test
    @DisplayName("who may not see what an operator made takes down the rest")
    void madeUnseen() {
        there.with("servers", object("example.com/v1", "Servers", "one", OURS))
                .with("backups", backup("of-one", "Servers", "one"))
                .forbid("backups");
        assertThat(stopper().down(true)).isEqualTo(1);
        assertThat(there.deleted()).containsExactly("servers/one Background");
    }

    private static String backup(String name, String kind, String source) {
        return object("example.com/v1", "Backup", name, "") + "spec: {source: {kind: " + kind + ", name: " + source
                + "}}\n";
    }

    @Test
    @DisplayName("without data: what data are bound to stays, and is named")
    void down() {
        there.with("servers", object("example.com/v1", "Servers", "one", OURS))
                .with("pods", object("v1", "Pod", "one-0", MADE_OF_OURS));
        ProductionStopper stopper = stopper();
        assertThat(stopper.down(false)).isZero();
        assertThat(stopper.stay()).containsExactly("Servers/one");
        assertThat(there.deleted()).isEmpty();
        assertThat(said.toString())
                .isEqualTo(
                        "  Servers/one stay, for data go with them; this removes them: millrace down --target kubernetes"
                                + " --context loopback --broker north --namespace here --data"
                                + System.lineSeparator());
    }

    @Test
    @DisplayName(
            "a down that broke off goes on where it was: claims that an operator made, or roles of ours, are such a stack")
    void brokenOff() {
        assertThat(ProductionStopper.isThere(stack(), needs(List.of()))).isFalse();
        there.with("persistentvolumeclaims", object("v1", "PersistentVolumeClaim", "of-somebody", MADE));
        assertThat(ProductionStopper.isThere(stack(), needs(List.of()))).isFalse();
        there.with("persistentvolumeclaims", object("v1", "PersistentVolumeClaim", "data-one-0", MADE_OF_OURS));
        assertThat(ProductionStopper.isThere(stack(), needs(List.of("helm uninstall it"))))
                .as("a person's release made it")
                .isFalse();
        assertThat(ProductionStopper.isThere(stack(), needs(List.of()))).isTrue();
        stopper().down(true);
        assertThat(there.has("persistentvolumeclaims", "data-one-0")).isFalse();
        assertThat(ProductionStopper.isThere(stack(), needs(List.of()))).isFalse();
        there.with("roles", object("rbac.authorization.k8s.io/v1", "Role", "flink", OURS));
        assertThat(ProductionStopper.isThere(stack(), needs(List.of()))).isTrue();
        there.forbid("roles").forbid("rolebindings");
        assertThat(ProductionStopper.isThere(stack(), needs(List.of())))
                .as("who may not see roles sees the rest")
                .isFalse();
        there.with(
                "persistentvolumeclaims",
                object("v1", "PersistentVolumeClaim", "data-store-0", OURS + ", millrace.dev/size: c5-i7i"));
        assertThat(ProductionStopper.isThere(stack(), needs(List.of()))).isTrue();
    }

    @Test
    @DisplayName("what monitors it goes with it, where the cluster knows such kinds and one may see them")
    void monitoring() {
        String version = "monitoring.coreos.com/v1";
        there.with("podmonitors", object(version, "PodMonitor", "scraped", OURS))
                .with("podmonitors", object(version, "PodMonitor", "of-somebody", MADE))
                .with("prometheusrules", object(version, "PrometheusRule", "alerts", OURS))
                .with("probes", object(version, "Probe", "unknown", OURS));
        assertThat(stopper().down(false)).isEqualTo(2);
        assertThat(there.deleted())
                .containsExactlyInAnyOrder("podmonitors/scraped Foreground", "prometheusrules/alerts Foreground");
        there.forbid("podmonitors");
        assertThat(stopper().down(true)).isZero();
        assertThat(there.has("podmonitors", "of-somebody")).isTrue();
    }

    @Test
    @DisplayName("a small stack beside claims of an earlier large one is taken down as what it is")
    void small() {
        there.with("statefulsets", object("apps/v1", "StatefulSet", "generator", OURS))
                .with("persistentvolumeclaims", object("v1", "PersistentVolumeClaim", "data-one-0", MADE_OF_OURS));
        assertThat(ProductionStopper.isThere(stack(), needs(List.of()))).isFalse();
    }
}
