package dev.millrace.deploy.lint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.connectors.api.lint.KnownSettings;
import dev.millrace.connectors.api.lint.SettingLine;
import dev.millrace.connectors.api.lint.SettingsKind;
import dev.millrace.core.settings.UserException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettingsFileTest {
    private static final Kinds KINDS = new Kinds(List.of(new FlinkKind()), Optional.of("flink"), "");

    @TempDir
    Path folder;

    private void assertRefused(Path file, String sentence) {
        assertThatThrownBy(() -> SettingsFile.read(file, KINDS))
                .isInstanceOf(UserException.class)
                .hasMessage(sentence);
    }

    @Test
    @DisplayName("what cannot be read as settings is one sentence with the file")
    void refused() throws Exception {
        assertRefused(folder, folder + " is a folder; name the settings file in it");
        Path file = folder.resolve("config.yaml");
        assertRefused(file, "there is no file " + file);
        Files.writeString(file, " \n");
        assertRefused(file, file + " is empty");
        Files.writeString(file, "# rest.port: 1\n");
        assertRefused(file, file + " sets nothing: it has only comments");
        Files.write(file, new byte[] {'a', 0, 'b'});
        assertRefused(file, file + " is no text in UTF-8, so it is no settings file");
        Files.write(file, new byte[] {(byte) 0xff, (byte) 0xfe});
        assertRefused(file, file + " is no text in UTF-8, so it is no settings file");
        Files.write(file, new byte[(4 << 20) + 1]);
        assertRefused(file, file + " has more than 4194304 bytes; no settings file is so large");
        Files.writeString(file, "- a\n");
        assertRefused(file, file + ": it holds no settings; write lines KEY: VALUE");
    }

    @Test
    @DisplayName("what can be read has its kind and its settings")
    void read() throws Exception {
        Path file = Files.writeString(folder.resolve("any"), "a: 1\nb: 2\n");
        SettingsFile read = SettingsFile.read(file, KINDS).get(0);
        assertThat(read.kind().name()).isEqualTo("flink");
        assertThat(read.settings()).hasSize(2);
    }

    @Test
    @DisplayName("what is read as properties may be in Latin-1, as the JDK reads it; YAML may not")
    void latin() throws Exception {
        Path file = Files.write(
                folder.resolve("own.conf"), "# f\u00fcr uns\nport=\u00fc\n".getBytes(StandardCharsets.ISO_8859_1));
        SettingsKind properties = new SettingsKind() {
            @Override
            public String name() {
                return "own";
            }

            @Override
            public List<String> fileNames() {
                return List.of("own.conf");
            }

            @Override
            public KnownSettings known() {
                return new KnownSettings("own", Map.of(), List.of(), List.of());
            }
        };
        Kinds kinds = new Kinds(List.of(properties, new FlinkKind()), Optional.empty(), "");
        assertThat(SettingsFile.read(file, kinds).get(0).settings())
                .containsExactly(new SettingLine(2, "port", "\u00fc"));
        Path yaml = Files.copy(file, folder.resolve("config.yaml"));
        assertThatThrownBy(() -> SettingsFile.read(yaml, kinds))
                .isInstanceOf(UserException.class)
                .hasMessage(yaml + " is no text in UTF-8, so it is no settings file");
    }
}
