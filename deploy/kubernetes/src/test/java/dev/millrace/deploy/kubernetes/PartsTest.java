package dev.millrace.deploy.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.kubernetes.cluster.Fields;
import dev.millrace.deploy.kubernetes.production.FlinkJob;
import dev.millrace.deploy.kubernetes.production.Needs;
import dev.millrace.deploy.kubernetes.stack.StackManifests;
import dev.millrace.deploy.local.Installation;
import dev.millrace.deploy.local.StackState;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Parts of stacks with the labels of the manifests; those of pods that operators and charts make stand in the brokers' {@code pods.yaml}. */
class PartsTest {
    private static final Installation INSTALLATION = Installation.here();
    private static final Path NEUTRAL = INSTALLATION.root().resolve("deploy/kubernetes");
    private static final String FOLLOW = "kubectl -n here logs -f POD";

    static List<String> brokers() {
        return INSTALLATION.brokers().stream()
                .filter(broker -> Needs.find(INSTALLATION, broker).isPresent())
                .toList();
    }

    @ParameterizedTest
    @MethodSource("brokers")
    @DisplayName("of the small size each part is one pod, and the broker is also called by its name")
    void small(String broker) throws IOException {
        List<Pod> pods = new ArrayList<>();
        for (String file : List.of("store", "jobmanager", "taskmanager", "generator")) {
            pods.addAll(pods(NEUTRAL.resolve("base/" + file + ".yaml")));
        }
        pods.addAll(pods(folder(broker).resolve("deploy/kubernetes/tiny").resolve(broker + ".yaml")));
        Parts parts = new Parts(broker, pods);
        assertThat(parts.of(null)).hasSize(5);
        for (String part : List.of("store", "jobmanager", "taskmanager", "generator", broker)) {
            assertThat(names(parts.of(part))).containsExactly(part);
        }
        assertThat(names(parts.of(StackState.BROKER))).containsExactly(broker);
        assertThat(parts.container(parts.only(StackState.BROKER, FOLLOW))).isEqualTo(broker);
    }

    @ParameterizedTest
    @MethodSource("brokers")
    @DisplayName("of the production shape they are called as those of the small one, whoever made the pods")
    void production(String broker) throws IOException {
        Parts parts = productionParts(broker);
        assertThat(names(parts.of("jobmanager"))).containsExactly("job-jobmanager");
        assertThat(names(parts.of("taskmanager"))).containsExactly("job-taskmanager");
        assertThat(names(parts.of("generator"))).containsExactly("generator");
        assertThat(names(parts.of("store"))).containsExactly("clickhouse").isEqualTo(names(parts.of("clickhouse")));
        assertThat(names(parts.of("keeper"))).containsExactly("keeper");
        assertThat(names(parts.of(StackState.BROKER)))
                .contains(broker + "-broker")
                .isEqualTo(names(parts.of(broker)))
                .allMatch(name -> name.startsWith(broker + "-"));
        // What a chart runs beside its broker is no broker, and is called as its component.
        ofBroker(broker).stream()
                .map(pod -> pod.getMetadata().getLabels().getOrDefault("component", StackState.BROKER))
                .filter(component -> !component.equals(StackState.BROKER))
                .forEach(component -> assertThat(names(parts.of(component)))
                        .containsExactly(broker + "-" + component)
                        .doesNotContainAnyElementsOf(names(parts.of(StackState.BROKER))));
    }

    @ParameterizedTest
    @MethodSource("brokers")
    @DisplayName("every name that is told to somebody who named another can be typed")
    void told(String broker) throws IOException {
        Parts parts = productionParts(broker);
        Throwable said = catchThrowable(() -> parts.of("jobmanger"));
        assertThat(said)
                .isInstanceOf(UserException.class)
                .hasMessageStartingWith("there is no pod of 'jobmanger'; did you mean 'jobmanager'?; there are: ");
        List<String> told =
                List.of(said.getMessage().replaceFirst(".*there are: ", "").split(", "));
        assertThat(told)
                .contains(StackState.BROKER, broker, "store", "jobmanager", "taskmanager", "generator")
                .allSatisfy(part -> assertThat(parts.of(part)).isNotEmpty());
        assertThatThrownBy(() -> new Parts(broker, List.of()).of("store"))
                .isInstanceOf(UserException.class)
                .hasMessage("there is no pod of 'store'; the stack has none");
    }

    @Test
    @DisplayName("one pod is followed; of several the sentence names them, and what follows one")
    void only() {
        Parts parts = new Parts(
                "some",
                List.of(
                        pod("generator-0", Map.of("app.kubernetes.io/name", "generator")),
                        pod("replica-0", Map.of("component", "store")),
                        pod("replica-1", Map.of("component", "store"))));
        assertThat(parts.only("generator", FOLLOW).getMetadata().getName()).isEqualTo("generator-0");
        assertThatThrownBy(() -> parts.only("store", FOLLOW))
                .isInstanceOf(UserException.class)
                .hasMessage("--follow shows one pod, and there are 2 of 'store': replica-0, replica-1; follow one with "
                        + FOLLOW);
        assertThatThrownBy(() -> parts.only(null, FOLLOW))
                .isInstanceOf(UserException.class)
                .hasMessage("--follow shows one pod, and there are 3: generator-0, replica-0, replica-1; name a part"
                        + " that has one, or follow one with " + FOLLOW);
        assertThatThrownBy(() -> new Parts("some", List.of()).only(null, FOLLOW))
                .isInstanceOf(UserException.class)
                .hasMessage("there is no pod to follow");
    }

    private static Parts productionParts(String broker) throws IOException {
        List<Pod> pods = new ArrayList<>(ofBroker(broker));
        for (String file : List.of("c5-i7i/flink", "c5-i7i/keeper", "c5-i7i/clickhouse", "base/generator")) {
            pods.addAll(pods(NEUTRAL.resolve(file + ".yaml")));
        }
        return new Parts(broker, pods);
    }

    private static Path folder(String broker) {
        return INSTALLATION.root().resolve("brokers").resolve(broker);
    }

    /** As an operator or a chart makes them. */
    private static List<Pod> ofBroker(String broker) throws IOException {
        Path file = folder(broker).resolve("src/test/resources/c5-i7i/pods.yaml");
        List<?> entries = (List<?>)
                Serialization.unmarshal(Files.readString(file), Map.class).get("pods");
        return entries.stream()
                .map(entry -> (Map<?, ?>) entry)
                .map(entry -> pod(entry.get("name").toString(), labels(entry.get("labels"))))
                .toList();
    }

    /** One for each object in a file that pods are made of, called as the object. */
    private static List<Pod> pods(Path file) throws IOException {
        return StackManifests.parse(Files.readString(file)).stream()
                .flatMap(PartsTest::pods)
                .toList();
    }

    private static Stream<Pod> pods(GenericKubernetesResource object) {
        String name = object.getMetadata().getName();
        if (object.getKind().equals(FlinkJob.KIND)) {
            // Flink adds to its pods' labels which of the two they are.
            return Stream.of("jobmanager", "taskmanager").map(component -> {
                Map<String, String> labels = new HashMap<>(labels(
                        Fields.at(object, "spec.podTemplate.metadata.labels").orElseThrow()));
                labels.putAll(Map.of("app", name, "component", component));
                return pod(name + "-" + component, labels);
            });
        }
        return Fields.at(object, "spec.template.metadata.labels").stream().map(labels -> pod(name, labels(labels)));
    }

    private static Map<String, String> labels(Object yaml) {
        Map<String, String> labels = new HashMap<>();
        ((Map<?, ?>) yaml).forEach((key, value) -> labels.put(key.toString(), value.toString()));
        return labels;
    }

    private static Pod pod(String name, Map<String, String> labels) {
        return new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .withLabels(labels)
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("first")
                .endContainer()
                .addNewContainer()
                .withName(labels.getOrDefault("app.kubernetes.io/name", "second"))
                .endContainer()
                .endSpec()
                .build();
    }

    private static List<String> names(List<Pod> pods) {
        return pods.stream().map(pod -> pod.getMetadata().getName()).toList();
    }
}
