package dev.millrace.deploy.kubernetes.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.core.settings.Options;
import dev.millrace.core.settings.UserException;
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
                // What prepares it makes the tables.
                .containsEntry("jobmanager", "store-login/password, prepare: store-login/password")
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
        String before = password(workload, "initContainers");
        return password(workload, "containers") + (before.equals("none") ? "" : ", prepare: " + before);
    }

    private static String password(GenericKubernetesResource workload, String containers) {
        List<Map<String, Object>> variables = workload.get("spec", "template", "spec", containers, 0, "env");
        return Optional.ofNullable(variables).stream()
                .flatMap(List::stream)
                .filter(variable -> variable.get("name").equals("MILLRACE_STORE_PASSWORD"))
                .map(variable -> (Map<?, ?>) variable.get("valueFrom"))
                .map(from -> (Map<?, ?>) from.get("secretKeyRef"))
                .map(key -> key.get("name") + "/" + key.get("key"))
                .findFirst()
                .orElse("none");
    }

    @Test
    @DisplayName("the store's pod has room for the process that a person named, else what its manifest says")
    void storeMemory() {
        assertThat(memory("store", Map.of())).isEqualTo("768Mi to 1280Mi");
        assertThat(memory("store", Map.of("store.memory", "4GiB"))).isEqualTo("4096Mi to 4352Mi");
        assertThatThrownBy(() -> memory("store", Map.of("store.memory", "much")))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("store.memory: 'much' is not a size");
    }

    @Test
    @DisplayName("the generator's pod has room for an audit of all devices in all windows that are open")
    void auditMemory() {
        assertThat(memory("generator", Map.of())).isEqualTo("768Mi to 1280Mi");
        // Windows of 10 s, 5 s behind: three at a time.
        assertThat(memory("generator", Map.of("devices", "1000000"))).isEqualTo("768Mi to 2138Mi");
        assertThat(memory("generator", Map.of("devices", "1000000", "slide", "5s")))
                .isEqualTo("768Mi to 2424Mi");
    }

    private String memory(String workload, Map<String, String> settings) {
        GenericKubernetesResource object = objects(settings).stream()
                .filter(one -> List.of("StatefulSet", "Deployment").contains(one.getKind()))
                .filter(one -> one.getMetadata().getName().equals(workload))
                .findFirst()
                .orElseThrow();
        Map<String, Map<String, Object>> resources =
                object.get("spec", "template", "spec", "containers", 0, "resources");
        return resources.get("requests").get("memory") + " to "
                + resources.get("limits").get("memory");
    }
}
