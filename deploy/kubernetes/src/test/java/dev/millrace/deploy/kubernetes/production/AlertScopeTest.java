package dev.millrace.deploy.kubernetes.production;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.deploy.kubernetes.cluster.Fields;
import dev.millrace.deploy.kubernetes.monitoring.PromQl;
import dev.millrace.deploy.local.Installation;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class AlertScopeTest {
    private static final Installation INSTALLATION = Installation.here();
    private static final Path FOLDER = INSTALLATION.root().resolve("deploy/kubernetes/c5-i7i/monitoring");

    private static final Pattern OF_THE_ONE = Pattern.compile("\\w+\\{namespace=\"sensors\"[^}]*}");
    /** Exporters of machines and of AWS know no namespaces. */
    private static final Pattern OF_NO_NAMESPACE = Pattern.compile("(node|aws)_\\w+");

    private static Map<String, String> expressions(GenericKubernetesResource rule) {
        Map<String, String> expressions = new TreeMap<>();
        List<?> groups = (List<?>) Fields.at(rule, "spec.groups").orElseThrow();
        for (int i = 0; i < groups.size(); i++) {
            List<?> rules = (List<?>) Fields.at(groups.get(i), "rules").orElseThrow();
            for (int j = 0; j < rules.size(); j++) {
                expressions.put(
                        "/spec/groups/" + i + "/rules/" + j + "/expr",
                        Fields.at(rules.get(j), "expr").orElseThrow().toString());
            }
        }
        assertThat(expressions).hasSizeGreaterThan(7);
        return expressions;
    }

    private static GenericKubernetesResource rule(String text) {
        return Serialization.unmarshal(text, GenericKubernetesResource.class);
    }

    /** Those of every stack, and those of brokers. */
    static List<Path> ruleFiles() throws IOException {
        List<Path> files = new ArrayList<>();
        List<Path> folders = Stream.concat(
                        Stream.of(FOLDER),
                        INSTALLATION.brokers().stream().map(broker -> Needs.folder(INSTALLATION, broker)
                                .resolve("monitoring")))
                .filter(Files::isDirectory)
                .toList();
        for (Path folder : folders) {
            try (Stream<Path> all = Files.list(folder)) {
                for (Path file : all.sorted().toList()) {
                    if (Files.readString(file).contains("\nkind: " + AlertScope.KIND + "\n")) {
                        files.add(file);
                    }
                }
            }
        }
        return files;
    }

    @ParameterizedTest
    @MethodSource("ruleFiles")
    @DisplayName(
            "every metric of an alert that has a namespace is looked at in the stack's own, in brokers' files, too")
    void files(Path file) throws IOException {
        String text = Files.readString(file);
        GenericKubernetesResource rule = rule(text);
        Map<String, String> narrowed = AlertScope.narrowed(rule, "sensors");
        expressions(rule).forEach((place, expression) -> assertThat(PromQl.metrics(OF_THE_ONE
                        .matcher(narrowed.getOrDefault(place, expression))
                        .replaceAll("1")))
                .as(place + " " + expression)
                .allMatch(metric -> OF_NO_NAMESPACE.matcher(metric).matches()));
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
