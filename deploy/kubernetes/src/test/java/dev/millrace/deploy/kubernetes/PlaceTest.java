package dev.millrace.deploy.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.core.settings.UserException;
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
