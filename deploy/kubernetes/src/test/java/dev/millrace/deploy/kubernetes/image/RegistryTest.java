package dev.millrace.deploy.kubernetes.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.core.settings.EnvironmentException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RegistryTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    Path folder;

    private final StringWriter said = new StringWriter();

    private ImageSet push(String prefix) throws IOException {
        TinyClone clone = new TinyClone(folder);
        return push(clone, clone.base(), prefix);
    }

    private ImageSet push(TinyClone clone, BaseImage base, String prefix) {
        return ImageSet.build(
                clone.installation(), "one", base, new Destination.Registry(prefix), new PrintWriter(said, true));
    }

    @Test
    @DisplayName("images are pushed below the prefix, once")
    void push() throws IOException {
        try (LoopbackRegistry registry = new LoopbackRegistry(true)) {
            ImageSet first = push(registry.host() + "/team");
            assertThat(first.all()).extracting(BuiltImage::unchanged).containsExactly(false, false);
            assertThat(first.millrace().reference()).matches(registry.host() + "/team/millrace:1\\.2-[0-9a-f]{12}");
            String tag = first.millrace().reference().replaceFirst(".*:", "");
            assertThat(registry.manifests).containsKey("/v2/team/millrace/manifests/" + tag);
            assertThat(registry.blobs).hasSizeGreaterThan(4);

            ImageSet second = push(registry.host() + "/team");
            assertThat(second.all()).extracting(BuiltImage::unchanged).containsExactly(true, true);
            assertThat(second.millrace().digest()).isEqualTo(first.millrace().digest());
        }
    }

    @Test
    @DisplayName("on a base of a registry images are for amd64 and arm64, both with everything")
    void bothArchitectures() throws IOException {
        try (LoopbackRegistry registry = new LoopbackRegistry(true)) {
            TinyClone clone = new TinyClone(folder);
            ImageSet images = push(clone, clone.pushBase(registry.host()), registry.host());
            String name = "/v2/millrace/manifests/";
            JsonNode list = JSON.readTree(
                    registry.manifests.get(name + images.millrace().reference().replaceFirst(".*:", "")));
            assertThat(list.path("manifests").findValuesAsText("architecture"))
                    .containsExactlyInAnyOrder("amd64", "arm64");
            for (JsonNode one : list.path("manifests")) {
                JsonNode manifest = JSON.readTree(
                        registry.manifests.get(name + one.path("digest").asText()));
                assertThat(manifest.path("layers")).hasSize(3);
                JsonNode config = JSON.readTree(registry.blobs.get(
                        manifest.path("config").path("digest").asText()));
                assertThat(config.path("architecture"))
                        .isEqualTo(one.path("platform").path("architecture"));
                assertThat(config.path("config").path("Env").toString()).contains("JAVA_HOME=/java");
            }
        }
    }

    @Test
    @DisplayName("a registry that refuses is a sentence that says how to log in")
    void refused() throws IOException {
        try (LoopbackRegistry registry = new LoopbackRegistry(false)) {
            assertThatThrownBy(() -> push(registry.host()))
                    .isInstanceOf(EnvironmentException.class)
                    .hasMessageContaining("the registry refuses")
                    .hasMessageContaining("docker login");
        }
    }

    @Test
    @DisplayName("a registry that is not there is a sentence, at once")
    void unreachable() {
        assertThatThrownBy(() -> push("localhost:1"))
                .isInstanceOf(EnvironmentException.class)
                .hasMessageContaining("cannot reach the registry of localhost:1/millrace:1.2-");
    }

    @Test
    @DisplayName("a base whose registry is not there is a sentence that names the other bases")
    void baseUnreachable() throws IOException {
        TinyClone clone = new TinyClone(folder);
        assertThatThrownBy(() -> ImageSet.build(
                        clone.installation(),
                        "one",
                        BaseImage.of("localhost:1/base:1"),
                        new Destination.Folder(folder.resolve("images")),
                        new PrintWriter(said)))
                .isInstanceOf(EnvironmentException.class)
                .hasMessageContaining("cannot reach the registry of localhost:1/base:1")
                .hasMessageContaining("--base this-machine");
    }
}
