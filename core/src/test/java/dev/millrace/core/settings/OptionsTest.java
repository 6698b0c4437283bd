package dev.millrace.core.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OptionsTest {

    @Test
    @DisplayName("every problem is reported at once: key, value, what would be right")
    void allProblemsAtOnce() {
        Options options = Options.of(Map.of("rate", "abc", "window", "10 parsecs", "portt", "1"));
        assertThatThrownBy(() -> options.bind("settings", binder -> {
                    binder.integer("rate", 1, 1, 100);
                    binder.duration("window", Duration.ofSeconds(1));
                    return binder.integer("port", 1, 1, 65535);
                }))
                .isInstanceOf(UserException.class)
                .hasMessage(
                        "settings: 'rate' is 'abc'; it must be a whole number from 1 to 100; 'window' is '10 parsecs';"
                                + " it must be a duration such as 300ms, 10s, 5m, 24h or 7d; unknown key 'portt'. Did you"
                                + " mean 'port'?");
    }

    @Test
    @DisplayName("a number out of its range is refused with the range")
    void range() {
        assertThatThrownBy(() -> Options.of(Map.of("n", "101")).bind("x", b -> b.integer("n", 1, 1, 100)))
                .hasMessage("x: 'n' is '101'; it must be a whole number from 1 to 100");
        assertThatThrownBy(() -> Options.of(Map.of("n", "NaN")).bind("x", b -> b.decimal("n", 0, 0, 1)))
                .hasMessageContaining("must be a number from 0.0 to 1.0");
    }

    @Test
    @DisplayName("an unknown key far from every known one lists the known ones")
    void unknownKeyListsKnown() {
        assertThatThrownBy(() -> Options.of(Map.of("zebra", "1")).bind("x", b -> b.string("address", "")))
                .hasMessage("x: unknown key 'zebra'; known are address");
    }

    @Test
    @DisplayName("a missing required value says what would be right")
    void required() {
        assertThatThrownBy(() -> Options.none().bind("x", b -> b.required("topic", "name a topic")))
                .hasMessage("x: 'topic' is missing; name a topic");
    }

    @Test
    @DisplayName("an enum is written in lower case with hyphens and its choices are listed")
    void oneOf() {
        JobSettings.StateBackend backend = backend("rocksdb");
        assertThat(backend).isEqualTo(JobSettings.StateBackend.ROCKSDB);
        assertThatThrownBy(() -> backend("rock"))
                .hasMessage("x: 'state-backend' is 'rock'; it must be one of heap, rocksdb");
    }

    private static JobSettings.StateBackend backend(String text) {
        return Options.of(Map.of("state-backend", text))
                .bind(
                        "x",
                        b -> b.oneOf("state-backend", JobSettings.StateBackend.HEAP, JobSettings.StateBackend.class));
    }

    @Test
    @DisplayName("durations and sizes are read back as they are written")
    void valuesRoundTrip() {
        for (String text : new String[] {"300ms", "10s", "5m", "24h", "7d", "1500ms", "90s"}) {
            Duration duration = Values.duration(text);
            assertThat(Values.duration(Values.text(duration))).isEqualTo(duration);
        }
        assertThat(Values.bytes("64KiB")).isEqualTo(65536);
        assertThat(Values.bytes("1GiB")).isEqualTo(1L << 30);
        assertThat(Values.bytes("17")).isEqualTo(17);
        for (String tooLarge : List.of("10000000TiB", "99999999999999999999")) {
            assertThatThrownBy(() -> Values.bytes(tooLarge))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("'" + tooLarge + "' is too large");
        }
        for (String tooLong : List.of("999999999999999d", "99999999999999999999ms")) {
            assertThatThrownBy(() -> Values.duration(tooLong))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("'" + tooLong + "' is too large");
        }
        assertThat(Values.text(1536L)).isEqualTo("1.5 KiB");
    }

    @Test
    @DisplayName("the nearest word is found for a letter missed, doubled, wrong or swapped, and none for a stranger")
    void suggestions() {
        var known = java.util.List.of("broker", "rate", "window");
        assertThat(Suggestion.nearest("brokre", known)).contains("broker");
        assertThat(Suggestion.nearest("rat", known)).contains("rate");
        assertThat(Suggestion.nearest("windwo", known)).contains("window");
        assertThat(Suggestion.nearest("elephant", known)).isEmpty();
    }

    @Test
    @DisplayName("a file's options are its properties; one that is not there, or is none, is a sentence")
    void read(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("a.properties"), "# why\nrate = 5\nname=caf\u00e9 au lait\n");
        assertThat(Options.read(file).asMap()).isEqualTo(Map.of("rate", "5", "name", "caf\u00e9 au lait"));
        Path missing = folder.resolve("b.properties");
        assertThatThrownBy(() -> Options.read(missing))
                .isInstanceOf(UserException.class)
                .hasMessage("there is no settings file " + missing);
        Path torn = Files.writeString(folder.resolve("c.properties"), "rate=\\u00x\n");
        assertThatThrownBy(() -> Options.read(torn))
                .isInstanceOf(UserException.class)
                .hasMessageStartingWith("the settings file " + torn + " cannot be read: ");
        Path binary = Files.write(folder.resolve("d.properties"), new byte[] {(byte) 0xff, (byte) 0xfe, 0});
        assertThatThrownBy(() -> Options.read(binary))
                .isInstanceOf(UserException.class)
                .hasMessageStartingWith("the settings file " + binary + " cannot be read: ");
        assertThatThrownBy(() -> Options.read(folder))
                .isInstanceOf(EnvironmentException.class)
                .hasMessageStartingWith("cannot read the settings file " + folder);
    }
}
