package dev.millrace.deploy.kubernetes.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.cloud.tools.jib.api.ImageReference;
import dev.millrace.core.settings.EnvironmentException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
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
    @DisplayName("images in files have a name of this machine, and a base from elsewhere has TLS all the same")
    void baseElsewhere() {
        BaseImage elsewhere = BaseImage.of("registry.example.org/base:1");
        BaseImage here = BaseImage.of("127.0.0.1:5000/base:1");
        Destination files = new Destination.Folder(folder);
        ImageReference file = Registries.reference(files.prefix() + "/one:1");
        assertThat(ImageBuild.isLocal(elsewhere, files, file)).isFalse();
        assertThat(ImageBuild.isLocal(here, files, file)).isTrue();
        assertThat(ImageBuild.isLocal(
                        elsewhere,
                        new Destination.Registry("registry.example.org"),
                        Registries.reference("registry.example.org/one:1")))
                .isFalse();
        assertThat(ImageBuild.isLocal(
                        new BaseImage.Tar(folder),
                        new Destination.Registry("localhost:5000"),
                        Registries.reference("localhost:5000/one:1")))
                .isTrue();
    }

    @Test
    @DisplayName("credentials are those of the file that Docker reads: below DOCKER_CONFIG, else below HOME")
    void credentials() throws Exception {
        ImageReference image = Registries.reference("registry.example.org/team/one:1");
        config(folder.resolve("named"), "registry.example.org", "one:secret");
        config(folder.resolve("home/.docker"), "registry.example.org", "two:secret");
        Map<String, String> home = Map.of("HOME", folder.resolve("home").toString());
        Map<String, String> both = new HashMap<>(home);
        both.put("DOCKER_CONFIG", folder.resolve("named").toString());
        assertThat(Registries.credential(image, both))
                .hasValueSatisfying(found -> assertThat(found.getUsername()).isEqualTo("one"));
        assertThat(Registries.credential(image, home))
                .hasValueSatisfying(found -> assertThat(found.getUsername()).isEqualTo("two"));
        both.put("DOCKER_CONFIG", folder.resolve("empty").toString());
        assertThat(Registries.credential(image, both)).isEmpty();
    }

    private static void config(Path folder, String registry, String login) throws IOException {
        Files.createDirectories(folder);
        String auth = Base64.getEncoder().encodeToString(login.getBytes(StandardCharsets.UTF_8));
        Files.writeString(
                folder.resolve("config.json"), "{\"auths\": {\"" + registry + "\": {\"auth\": \"" + auth + "\"}}}");
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
