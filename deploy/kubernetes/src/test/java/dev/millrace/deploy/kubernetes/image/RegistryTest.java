package dev.millrace.deploy.kubernetes.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.core.settings.EnvironmentException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RegistryTest {
    @TempDir
    Path folder;

    private final StringWriter said = new StringWriter();

    private ImageSet push(String prefix) throws IOException {
        TinyClone clone = new TinyClone(folder);
        return ImageSet.build(
                clone.installation(),
                "one",
                clone.base(),
                new Destination.Registry(prefix),
                new PrintWriter(said, true));
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
