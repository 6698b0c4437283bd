package dev.millrace.deploy.stack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.deploy.local.Installation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is said of a plugin from outside before a stack is there; {@link SameWindowsTest} brings one up with it. */
@Tag("server")
class PluginDirTest {
    private static final String WORKING = MillraceCommand.quickest();

    @TempDir
    Path base;

    @TempDir
    Path plugin;

    @BeforeEach
    void pack(@TempDir Path scratch) throws IOException {
        OutsideCopy.pack(WORKING, plugin, scratch);
    }

    @Test
    @DisplayName("lint knows the settings files of a plugin from outside, when it is told its folder")
    void lintKnowsAPluginFromOutside() throws IOException {
        MillraceCommand millrace = new MillraceCommand(base);
        String file =
                Files.writeString(base.resolve("elsewhere.conf"), "prot=1\n").toString();
        assertThat(millrace.run("lint", "--kind", "elsewhere-server", file).failed(2))
                .contains("there is no kind of settings file 'elsewhere-server'");
        assertThat(millrace.run("lint", "--plugin-dir", plugin.toString(), file).failed(1))
                .contains(file + ":1 prot:")
                .contains("elsewhere-server, elsewhere 1");
    }

    @Test
    @DisplayName("a folder that is named from where a person is, is found there")
    void fromWhereAPersonIs() throws IOException {
        MillraceCommand millrace = new MillraceCommand(base);
        String relative = Path.of("").toAbsolutePath().relativize(plugin).toString();
        assertThat(millrace.run("brokers", "--plugin-dir", relative).succeeded())
                .containsPattern("elsewhere +built +none +" + plugin);
        String file =
                Files.writeString(base.resolve("elsewhere.conf"), "prot=1\n").toString();
        assertThat(millrace.run("lint", "--plugin-dir", relative, file).failed(1))
                .contains("elsewhere-server, elsewhere 1");
    }

    @Test
    @DisplayName("a plugin from outside is listed by its folder only, and no other broker comes up in its place")
    void aPluginFromOutside() {
        MillraceCommand millrace = new MillraceCommand(base);
        String folder = plugin.toString();
        assertThat(millrace.run("brokers", "--plugin-dir", folder).succeeded())
                .containsPattern("elsewhere +built +none +" + folder);
        assertThat(millrace.run("up", "--broker", "elsewhere").failed(2))
                .contains("there is no broker 'elsewhere'")
                .contains("--plugin-dir DIR");
        assertThat(millrace.run("up", "--broker", WORKING, "--plugin-dir", folder)
                        .failed(2))
                .contains("the plugin in " + folder + " is broker 'elsewhere', not '" + WORKING + "'");
        String own = Installation.here().pluginFolder(WORKING).toString();
        assertThat(millrace.run("up", "--plugin-dir", own).failed(2))
                .contains("two plugins call themselves broker '" + WORKING + "'")
                .contains(own);
    }
}
