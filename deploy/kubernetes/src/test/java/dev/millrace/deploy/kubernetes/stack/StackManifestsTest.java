package dev.millrace.deploy.kubernetes.stack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.core.settings.Options;
import dev.millrace.deploy.kubernetes.WithKubectl;
import dev.millrace.deploy.kubernetes.image.BuiltImage;
import dev.millrace.deploy.kubernetes.image.ImageSet;
import dev.millrace.deploy.local.Installation;
import dev.millrace.deploy.local.StackSettings;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StackManifestsTest {
    private static final String BROKER = Installation.here().brokers().stream()
            .filter(broker -> ClusterLauncher.has(Installation.here(), broker))
            .findFirst()
            .orElseThrow();

    @TempDir
    private Path folder;

    @Test
    @DisplayName(
            "with a store of one's own there is no pod of it, and who speaks with it has the password of one's own Secret")
    void ownStore() {
        Map<String, String> passwords =
                objects(Map.of("store", "clickhouse", "store-url", "https://h:8443", "store-database", "iot")).stream()
                        .filter(object -> List.of("StatefulSet", "Deployment").contains(object.getKind()))
                        .collect(Collectors.toMap(
                                object -> object.getMetadata().getName(), StackManifestsTest::password));
        assertThat(passwords)
                .doesNotContainKey("store")
                .containsEntry("jobmanager", "store-login/password")
                .containsEntry("taskmanager", "store-login/password")
                .containsEntry("generator", "store-login/password")
                .containsEntry(BROKER, "none");
    }

    @Test
    @DisplayName("a stack that has its own store needs no such Secret")
    void storeOfStack() {
        assertThat(objects(Map.of()))
                .filteredOn(object -> List.of("StatefulSet", "Deployment").contains(object.getKind()))
                .hasSize(5)
                .allSatisfy(object -> assertThat(password(object)).isEqualTo("none"));
    }

    private List<GenericKubernetesResource> objects(Map<String, String> settings) {
        BuiltImage image = new BuiltImage("millrace:1", "sha256:0", Optional.empty(), true);
        return WithKubectl.ask(
                kubectl -> new StackManifests(Installation.here().root(), folder, BROKER, "millrace-" + BROKER)
                        .objects(
                                kubectl,
                                StackSettings.bind("up", Options.of(settings).with("broker", BROKER)),
                                new ImageSet(image, Optional.of(image)),
                                Instant.EPOCH));
    }

    private static String password(GenericKubernetesResource workload) {
        List<Map<String, Object>> variables = workload.get("spec", "template", "spec", "containers", 0, "env");
        return Optional.ofNullable(variables).stream()
                .flatMap(List::stream)
                .filter(variable -> variable.get("name").equals("MILLRACE_STORE_PASSWORD"))
                .map(variable -> (Map<?, ?>) variable.get("valueFrom"))
                .map(from -> (Map<?, ?>) from.get("secretKeyRef"))
                .map(key -> key.get("name") + "/" + key.get("key"))
                .findFirst()
                .orElse("none");
    }
}
