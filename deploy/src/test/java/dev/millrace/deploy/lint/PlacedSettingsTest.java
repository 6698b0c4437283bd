package dev.millrace.deploy.lint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.connectors.api.lint.KnownSetting;
import dev.millrace.connectors.api.lint.KnownSettings;
import dev.millrace.connectors.api.lint.SettingLine;
import dev.millrace.connectors.api.lint.SettingsKind;
import dev.millrace.connectors.api.lint.SettingsPlace;
import dev.millrace.core.settings.UserException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class PlacedSettingsTest {
    private record Placed(String name, List<SettingsPlace> places) implements SettingsKind {
        @Override
        public List<String> fileNames() {
            return List.of();
        }

        @Override
        public KnownSettings known() {
            return new KnownSettings(name, Map.of("port", KnownSetting.named()), List.of(), List.of());
        }
    }

    private static final SettingsKind SERVER = new Placed(
            "server",
            List.of(
                    SettingsPlace.in("Server", "spec.config"),
                    SettingsPlace.inValues("server.configData", "OWN_", List.of("PF_"))));
    private static final SettingsKind OTHER =
            new Placed("other", List.of(SettingsPlace.in("Other", "spec.config").separatedBy(";")));

    private static List<PlacedSettings> in(String text) {
        return PlacedSettings.in(text, List.of(SERVER, OTHER));
    }

    private static List<SettingLine> settings(String text) {
        return in(text).get(0).settings();
    }

    @Test
    @DisplayName("settings in objects are of the object's kind, with their lines in the file")
    void objects() {
        List<PlacedSettings> found = in(
                """
                apiVersion: any/v1
                kind: Other
                spec:
                  config:
                    a.b: 1
                ---
                apiVersion: any/v1
                kind: Server
                spec:
                  replicas: 3
                  config:
                    port: 1
                    disk:
                      size: 2
                """);
        assertThat(found).extracting(PlacedSettings::kind).containsExactly(OTHER, SERVER);
        assertThat(found.get(1).settings())
                .containsExactly(new SettingLine(12, "port", "1"), new SettingLine(14, "disk.size", "2"));
    }

    @Test
    @DisplayName("in a chart's values a key loses the prefix that its scripts want, and variables are no settings")
    void values() {
        assertThat(in("server:\n  configData:\n    SERVER_MEM: -Xmx1g\n    OWN_port: 1\n"))
                .singleElement()
                .satisfies(one -> {
                    assertThat(one.settings()).containsExactly(new SettingLine(4, "port", "1"));
                    assertThat(one.asWritten()).containsExactly(new SettingLine(4, "OWN_port", "1"));
                });
    }

    @Test
    @DisplayName("what is there for another program is no setting")
    void others() {
        assertThat(settings("server:\n  configData:\n    PF_workers: 2\n    port: 1\n"))
                .containsExactly(new SettingLine(4, "port", "1"));
    }

    @Test
    @DisplayName("a list is written as the server wants it")
    void lists() {
        assertThat(settings("kind: Server\nspec: {config: {policy: [a, b]}}\n"))
                .containsExactly(new SettingLine(2, "policy", "a,b"));
        assertThat(settings("kind: Other\nspec: {config: {policy: [a, b]}}\n"))
                .containsExactly(new SettingLine(2, "policy", "a;b"));
    }

    @Test
    @DisplayName("a word without quotes that Helm and kubectl take for a boolean is one")
    void booleans() {
        assertThat(settings("server:\n  configData:\n    a: yes\n    b: Off\n    c: 'yes'\n    d: yess\n"))
                .extracting(SettingLine::value)
                .containsExactly("true", "false", "yes", "yess");
    }

    @Test
    @DisplayName("what is taken in by << is there, unless the mapping has it itself or an earlier one had it")
    void merges() {
        assertThat(
                        settings(
                                """
                        common: &common
                          port: 1
                          disk: 2
                        more: &more
                          disk: 3
                          threads: 4
                        server: &server
                          configData:
                            <<: [*common, *more]
                            port: 5
                        """))
                .containsExactly(
                        new SettingLine(10, "port", "5"),
                        new SettingLine(3, "disk", "2"),
                        new SettingLine(6, "threads", "4"));
        assertThat(settings("any: &any\n  configData: {port: 1}\nserver:\n  <<: *any\n"))
                .containsExactly(new SettingLine(2, "port", "1"));
        assertThatThrownBy(() -> in("server: &any\n  <<: *any\n"))
                .isInstanceOf(UserException.class)
                .hasMessage("it has more than 30 levels, or one that holds itself");
    }

    @Test
    @DisplayName("what has none of the places, or is no YAML, has none")
    void none() {
        assertThat(in("kind: Third\nspec:\n  config:\n    port: 1\n")).isEmpty();
        assertThat(in("kind: Server\nspec:\n  config: port\n")).isEmpty();
        assertThat(in("port: 1\n")).isEmpty();
        assertThat(in("a: b: c\n")).isEmpty();
    }
}
