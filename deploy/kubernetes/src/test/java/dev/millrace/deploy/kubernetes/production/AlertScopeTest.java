package dev.millrace.deploy.kubernetes.production;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.deploy.local.Installation;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AlertScopeTest {
    private static final Path FOLDER = Installation.here().root().resolve("deploy/kubernetes/c5-i7i/monitoring");

    private static GenericKubernetesResource rule(String text) {
        return Serialization.unmarshal(text, GenericKubernetesResource.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"machines.yaml", "pipeline.yaml"})
    @DisplayName("every alert that tells stacks by their names looks at the one namespace instead")
    void files(String file) throws IOException {
        String text = Files.readString(FOLDER.resolve(file));
        GenericKubernetesResource rule = rule(text);
        assertThat(rule.getKind()).isEqualTo(AlertScope.KIND);
        Map<String, String> narrowed = AlertScope.narrowed(rule, "sensors");
        assertThat(narrowed).isNotEmpty();
        assertThat(narrowed.values()).allSatisfy(expression -> assertThat(expression)
                .contains("namespace=\"sensors\"")
                .doesNotContain("millrace-", "namespace=~"));
        // A selector of namespaces that is written in another way would stay as it is.
        assertThat(text.replace(AlertScope.ALL_STACKS, "")).doesNotContain("namespace=~");
    }

    @Test
    @DisplayName("what looks at no namespace, or at one already, stays as it is; places are those of the expressions")
    void places() {
        GenericKubernetesResource rule = rule(
                """
                apiVersion: monitoring.coreos.com/v1
                kind: PrometheusRule
                metadata: {name: some}
                spec:
                  groups:
                    - name: none
                      rules:
                        - {alert: One, expr: "sum by (namespace) (a) > 0"}
                        - {alert: Two, expr: 'a{namespace="b"} > 0'}
                    - name: some
                      rules:
                        - {alert: Three, expr: a > 0}
                        - {alert: Four, expr: 'a{namespace=~"millrace-.*",b="c"} / d{namespace=~"millrace-.*"}'}
                """);
        assertThat(AlertScope.narrowed(rule, "n"))
                .isEqualTo(Map.of("/spec/groups/1/rules/1/expr", "a{namespace=\"n\",b=\"c\"} / d{namespace=\"n\"}"));
    }
}
