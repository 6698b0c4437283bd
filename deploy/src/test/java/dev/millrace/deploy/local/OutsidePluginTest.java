package dev.millrace.deploy.local;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.connectors.api.broker.Broker;
import dev.millrace.core.settings.UserException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutsidePluginTest {
    @TempDir
    Path folder;

    private void jar(String entry, String text) throws IOException {
        try (OutputStream out = Files.newOutputStream(folder.resolve("some.jar"));
                ZipOutputStream zip = new ZipOutputStream(out)) {
            zip.putNextEntry(new ZipEntry(entry));
            zip.write(text.getBytes(StandardCharsets.UTF_8));
        }
    }

    @Test
    @DisplayName("a folder that is not there is said to be not there")
    void noFolder() {
        assertThatThrownBy(() -> OutsidePlugin.in(folder.resolve("gone")))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("there is no folder " + folder.resolve("gone"));
    }

    @Test
    @DisplayName("jars without a broker in them are refused with the file that is missing")
    void noBroker() throws IOException {
        jar("a.txt", "no broker");
        assertThatThrownBy(() -> OutsidePlugin.in(folder))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("META-INF/services/" + Broker.class.getName());
    }

    @Test
    @DisplayName("a plugin whose class is not beside it is a sentence")
    void cannotBeLoaded() throws IOException {
        jar("META-INF/services/" + Broker.class.getName(), "not.There\n");
        assertThatThrownBy(() -> OutsidePlugin.in(folder))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("cannot be loaded")
                .hasMessageContaining("not.There");
    }
}
