package dev.millrace.deploy.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.kubernetes.cluster.ClusterStack;
import dev.millrace.deploy.kubernetes.cluster.LoopbackCluster;
import dev.millrace.deploy.local.Installation;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class PlaceTest {
    private final Place place = new Place();
    private LoopbackCluster loopback;

    @BeforeEach
    void cluster() throws IOException {
        loopback = new LoopbackCluster();
    }

    @AfterEach
    void close() {
        loopback.close();
    }

    private void statefulSet(String namespace, String broker) {
        loopback.with(
                "statefulsets",
                """
                apiVersion: apps/v1
                kind: StatefulSet
                metadata:
                  name: generator
                  namespace: %s
                  labels: {app.kubernetes.io/name: generator, app.kubernetes.io/managed-by: millrace, millrace.dev/stack: %s}
                """
                        .formatted(namespace, broker));
    }

    private void claim(String namespace, String broker) {
        loopback.with(
                "persistentvolumeclaims",
                """
                apiVersion: v1
                kind: PersistentVolumeClaim
                metadata:
                  name: data-store-0
                  namespace: %s
                  labels: {app.kubernetes.io/managed-by: millrace, millrace.dev/stack: %s}
                """
                        .formatted(namespace, broker));
    }

    @Test
    @DisplayName("of which only volumes are left is found by them, unless another one is up")
    void volumes() {
        statefulSet("elsewhere", "others");
        claim("here", "north");
        assertThat(place.half(loopback.cluster()).broker()).isEqualTo("others");
        place.namespace = "here";
        assertThat(place.half(loopback.cluster()).broker()).isEqualTo("north");
        assertThatThrownBy(() -> place.stack(loopback.cluster()))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("no stack in namespace here");
    }

    @Test
    @DisplayName("to delete data, one that is up is not taken for another of which volumes are left")
    void data() {
        statefulSet("elsewhere", "others");
        claim("elsewhere", "others");
        assertThat(place.toEnd(loopback.cluster(), true).namespace()).isEqualTo("elsewhere");
        claim("here", "north");
        assertThatThrownBy(() -> place.toEnd(loopback.cluster(), true))
                .isInstanceOf(UserException.class)
                .hasMessage(
                        "more than one stack is on loopback; say which with --broker or --namespace; there are: others"
                                + " in elsewhere, north in here");
        place.namespace = "here";
        assertThat(place.toEnd(loopback.cluster(), true).broker()).isEqualTo("north");
    }

    @Test
    @DisplayName("a broker's stack is found in another namespace when its usual one has nothing of it")
    void elsewhere() {
        place.broker = Installation.here().brokers().get(0);
        String usual = ClusterStack.usualNamespace(place.broker);
        statefulSet("others", "north");
        assertThat(place.half(loopback.cluster()).namespace()).isEqualTo(usual);
        statefulSet("sensors", place.broker);
        assertThat(place.half(loopback.cluster()).namespace()).isEqualTo("sensors");
        assertThatThrownBy(() -> place.toEnd(loopback.cluster(), true))
                .isInstanceOf(UserException.class)
                .hasMessageStartingWith("nothing of " + place.broker + " is in namespace " + usual + " on loopback; ")
                .hasMessageEndingWith(" --broker " + place.broker + " --namespace sensors --data");
        assertThatThrownBy(() -> place.toEnd(loopback.cluster(), false))
                .as("the same down a second time")
                .hasMessageEndingWith(" --broker " + place.broker + " --namespace sensors");
        claim("lab", place.broker);
        assertThatThrownBy(() -> place.half(loopback.cluster()))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("more than one stack")
                .hasMessageContaining(place.broker + " in lab");
        place.namespace = "quiet";
        assertThat(place.half(loopback.cluster()).namespace()).isEqualTo("quiet");
        place.namespace = null;
        // Not even a stack: what an up that broke off left.
        loopback.with(
                "services",
                """
                apiVersion: v1
                kind: Service
                metadata:
                  name: store
                  namespace: %s
                  labels: {app.kubernetes.io/managed-by: millrace, millrace.dev/stack: %s}
                """
                        .formatted(usual, place.broker));
        assertThat(place.half(loopback.cluster()).namespace()).isEqualTo(usual);
        assertThat(place.toEnd(loopback.cluster(), true).namespace()).isEqualTo(usual);
        assertThat(place.toEnd(loopback.cluster(), false).namespace()).isEqualTo(usual);
    }

    @Test
    @DisplayName("who may not look into other namespaces has the usual one")
    void unseen() {
        place.broker = Installation.here().brokers().get(0);
        claim("lab", place.broker);
        loopback.forbidEverywhere("statefulsets").forbidEverywhere("persistentvolumeclaims");
        assertThat(place.half(loopback.cluster()).namespace()).isEqualTo(ClusterStack.usualNamespace(place.broker));
    }

    @Test
    @DisplayName("a misspelt broker is no stack that is not there")
    void typo() {
        String built = Installation.here().brokers().get(0);
        claim("millrace-north", "north");
        place.broker = built + "x";
        assertThatThrownBy(() -> place.half(loopback.cluster()))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("there is no broker '" + built + "x'; did you mean '" + built + "'?");
        // Of a plugin that is not in this clone.
        place.broker = "north";
        assertThat(place.half(loopback.cluster()).namespace()).isEqualTo("millrace-north");
    }
}
