package dev.millrace.deploy.kubernetes.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.core.settings.UserException;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TextsTest {
    @Test
    @DisplayName("a base is a reference, a file or this machine")
    void bases(@TempDir Path folder) throws Exception {
        Path tar = java.nio.file.Files.createFile(folder.resolve("base.tar"));
        assertThat(BaseImage.of("tar:" + tar)).isEqualTo(new BaseImage.Tar(tar));
        assertThat(BaseImage.of("this-machine")).isEqualTo(new BaseImage.ThisMachine());
        assertThat(BaseImage.of(BaseImage.DEFAULT)).isEqualTo(new BaseImage.Registry(BaseImage.DEFAULT));
    }

    @Test
    @DisplayName("a base that is none is a sentence")
    void noBase() {
        assertThatThrownBy(() -> BaseImage.of("Not//One"))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("'Not//One' is no base image");
        assertThatThrownBy(() -> BaseImage.of("tar:no/such.tar"))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("there is no file");
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://registry.example", "millrace", "registry.example/UPPER", ""})
    @DisplayName("a registry without a host, or with a scheme, is a sentence")
    void noRegistry(String prefix) {
        assertThatThrownBy(() -> new Destination.Registry(prefix))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("say HOST[:PORT][/PATH]");
    }

    @Test
    @DisplayName("a registry's prefix loses its last slash")
    void registry() {
        assertThat(new Destination.Registry("registry.example/team/").prefix()).isEqualTo("registry.example/team");
        assertThat(new Destination.Registry("localhost:5000").prefix()).isEqualTo("localhost:5000");
    }
}
