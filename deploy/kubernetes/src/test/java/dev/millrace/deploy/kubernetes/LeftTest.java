package dev.millrace.deploy.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.kubernetes.cluster.ClusterStack;
import dev.millrace.deploy.kubernetes.cluster.LoopbackCluster;
import dev.millrace.deploy.kubernetes.production.Needs;
import dev.millrace.deploy.kubernetes.production.ProductionStatus;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What verbs say of a stack of which something is left, and no more than that. */
class LeftTest {
    private static final Needs NEEDS = new Needs(
            List.of(), List.of(), List.of(), List.of(), List.of(), List.of("example.com/servers=one"), List.of());

    private LoopbackCluster there;
    private ClusterStack stack;

    @BeforeEach
    void start() throws IOException {
        there = new LoopbackCluster();
        stack = new ClusterStack(there.cluster(), "here", "north");
    }

    @AfterEach
    void stop() {
        there.close();
    }

    @Test
    @DisplayName("down again: that it is down, what stays and how that is removed; no stack only where nothing is left")
    void down() {
        assertThat(new Downed(stack, 0, List.of(), 0, true).says())
                .isEqualTo("There is no stack of north in namespace here on loopback; nothing to do.");
        assertThat(new Downed(stack, 0, List.of("Servers/one"), 7, false).says())
                .startsWith("The stack of north in namespace here on loopback is down already. Servers/one stay,")
                .contains(" Its 7 volumes and their Secrets stay. ")
                .endsWith(
                        "millrace down --target kubernetes --context loopback --broker north --namespace here --data");
        assertThat(new Downed(stack, 0, List.of(), 3, true).says())
                .contains("is down already. Its 3 volumes, their Secrets and settings stay. ");
        assertThat(new Downed(stack, 9, List.of("Servers/one"), 7, false).says())
                .isEqualTo("The stack of north is down: 9 objects removed from namespace here on loopback."
                        + " Its 7 volumes and their Secrets stay: up goes on from them, and this deletes them: millrace down"
                        + " --target kubernetes --context loopback --broker north --namespace here --data");
    }

    @Test
    @DisplayName("a small stack is not made over what is left of the production shape")
    void up() {
        assertThatCode(() -> UpVerb.refuseProduction(stack, NEEDS)).doesNotThrowAnyException();
        there.with(
                "persistentvolumeclaims",
                "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: data-one-0, namespace: here, labels:"
                        + " {example.com/servers: one, millrace.dev/stack: north}}\n");
        assertThatThrownBy(() -> UpVerb.refuseProduction(stack, NEEDS))
                .isInstanceOf(UserException.class)
                .hasMessage("in namespace here there is what is left of a stack of size c5-i7i; take it down first"
                        + " (millrace down --target kubernetes --context loopback --broker north --namespace here --data),"
                        + " or choose another --namespace");
    }

    @Test
    @DisplayName("the production shape is not made over a small stack's volumes, and goes on over its own")
    void upOfTheOtherSize() {
        String claim =
                """
                apiVersion: v1
                kind: PersistentVolumeClaim
                metadata:
                  name: NAME
                  namespace: here
                  labels: {app.kubernetes.io/managed-by: millrace, millrace.dev/stack: north SIZE}
                """;
        there.with(
                "persistentvolumeclaims",
                claim.replace("NAME", "data-store-0").replace(" SIZE", ", millrace.dev/size: c5-i7i"));
        assertThatCode(() -> UpVerb.refuseTiny(stack)).doesNotThrowAnyException();
        there.with(
                "persistentvolumeclaims", claim.replace("NAME", "data-broker-0").replace(" SIZE", ""));
        assertThatThrownBy(() -> UpVerb.refuseTiny(stack))
                .isInstanceOf(UserException.class)
                .hasMessageStartingWith(
                        "in namespace here there is what is left of a stack of size tiny; take it down");
    }

    @Test
    @DisplayName("until when certificates hold is in the JSON of a status, known or not")
    void status() throws IOException {
        assertThat(certificatesUntil().isNull()).isTrue();
        there.with(
                "pods",
                """
                apiVersion: v1
                kind: Pod
                metadata:
                  name: generator-0
                  namespace: here
                  labels: {app.kubernetes.io/managed-by: millrace, millrace.dev/stack: north}
                  annotations: {millrace.dev/certificates-until: "2027-01-02T03:04:05Z"}
                spec: {}
                status: {phase: Running}
                """);
        assertThat(certificatesUntil().asText()).isEqualTo("2027-01-02T03:04:05Z");
    }

    private JsonNode certificatesUntil() throws IOException {
        JsonNode said = new ObjectMapper()
                .readTree(ProductionStatus.of(stack, NEEDS, "").json());
        assertThat(said.has("certificatesUntil")).isTrue();
        return said.path("certificatesUntil");
    }
}
