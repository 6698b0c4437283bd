package dev.millrace.deploy.lint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.connectors.api.lint.KnownSetting;
import dev.millrace.connectors.api.lint.KnownSettings;
import dev.millrace.connectors.api.lint.SettingsKind;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.UserException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class KindsTest {
    /** A kind that knows the given keys; without any, its server is not there. */
    private record Fixed(String name, String file, List<String> keys) implements SettingsKind {
        @Override
        public List<String> fileNames() {
            return List.of(file);
        }

        @Override
        public List<String> foreignFileNames() {
            return List.of("front.conf", "client.conf");
        }

        @Override
        public KnownSettings known() {
            if (keys.isEmpty()) {
                throw new EnvironmentException("the server is not there");
            }
            return new KnownSettings(
                    name,
                    keys.stream().collect(Collectors.toMap(key -> key, key -> KnownSetting.named())),
                    List.of(),
                    List.of());
        }
    }

    private static final List<SettingsKind> ALL = List.of(
            new Fixed("server", "server.conf", List.of("port", "disk", "threads")),
            new Fixed("client", "client.conf", List.of("port", "linger")),
            new Fixed("all", "all.conf", List.of("port", "disk", "threads", "cache")),
            new Fixed("absent", "absent.conf", List.of()));

    private static String kind(String file, String text) {
        return new Kinds(ALL, Optional.empty(), "").of(Path.of("x", file), text).name();
    }

    @Test
    @DisplayName("what a person says counts, and a wrong word gets a suggestion and the list")
    void named() {
        assertThat(new Kinds(ALL, Optional.of("client"), "")
                        .of(Path.of("server.conf"), "disk=1")
                        .name())
                .isEqualTo("client");
        assertThatThrownBy(() -> new Kinds(ALL, Optional.of("sever"), " (and more)").of(Path.of("x"), "disk=1"))
                .isInstanceOf(UserException.class)
                .hasMessage("there is no kind of settings file 'sever'; did you mean 'server'?; there are: absent, all,"
                        + " client, server (and more)");
    }

    @Test
    @DisplayName("two of one name are refused: nobody could tell them apart")
    void namesakes() {
        List<SettingsKind> two = List.of(ALL.get(0), ALL.get(1), new Fixed("server", "other.conf", List.of("port")));
        assertThatThrownBy(() -> new Kinds(two, Optional.empty(), ""))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("two kinds of settings files are called 'server'")
                .hasMessageContaining(Fixed.class.getName());
    }

    @Test
    @DisplayName("else the file's name says it, whatever is in it")
    void byName() {
        assertThat(kind("client.conf", "disk=1")).isEqualTo("client");
        assertThat(kind("absent.conf", "disk=1")).isEqualTo("absent");
    }

    @Test
    @DisplayName("else the kind that knows most keys, of two that know the same the narrower one")
    void byKeys() {
        assertThat(kind("mine.conf", "linger=1\nport=2\nother=3")).isEqualTo("client");
        assertThat(kind("mine.conf", "disk=1\nthreads=2")).isEqualTo("server");
        assertThat(kind("mine.conf", "disk=1\ncache=2")).isEqualTo("all");
    }

    @Test
    @DisplayName(
            "a file that by its name is of something else is not guessed at, unless a kind is said or has that name")
    void foreign() {
        assertThatThrownBy(() -> kind("front.conf", "port=1\ndisk=2\nthreads=3"))
                .isInstanceOf(UserException.class)
                .hasMessage("it is not clear what settings " + Path.of("x", "front.conf")
                        + " has: by its name it is one that is not checked; say it with --kind KIND; there are: absent, all,"
                        + " client, server");
        assertThat(kind("client.conf", "port=1")).isEqualTo("client");
        assertThat(new Kinds(ALL, Optional.of("server"), "")
                        .of(Path.of("front.conf"), "disk=1")
                        .name())
                .isEqualTo("server");
    }

    @Test
    @DisplayName("when that is not clear it is asked for, with the list")
    void notClear() {
        for (String text : Stream.of("port=1", "port=1\na=2\nb=3", "a=1").toList()) {
            assertThatThrownBy(() -> kind("mine.conf", text))
                    .isInstanceOf(UserException.class)
                    .hasMessageContaining("say it with --kind KIND; there are: absent, all, client, server")
                    .hasMessageEndingWith("; not tried, because their servers are not fetched: absent");
        }
    }
}
