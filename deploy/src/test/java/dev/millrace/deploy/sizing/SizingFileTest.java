package dev.millrace.deploy.sizing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.local.Installation;
import dev.millrace.deploy.sizing.MeasuredRates.PerCore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SizingFileTest {
    private static final MeasuredRates SOUTH = Rates.of("south", new PerCore(1, 2, 3));

    @TempDir
    Path folder;

    private Path written(MeasuredRates... rates) {
        Path file = folder.resolve("sizing.yaml");
        new SizingFile(SizingFile.SCHEMA, List.of()).with(List.of(rates)).write(file);
        return file;
    }

    private Path changed(String old, String other) throws IOException {
        Path file = written(Rates.NORTH);
        String text = Files.readString(file);
        assertThat(text).contains(old);
        return Files.writeString(file, text.replace(old, other));
    }

    @Test
    @DisplayName("what is written is read, and brokers are in the order of their names")
    void roundTrip() {
        SizingFile read = SizingFile.read(written(SOUTH, Rates.NORTH));
        assertThat(read.brokers()).containsExactly(Rates.NORTH, SOUTH);
        assertThat(read.of("south")).contains(SOUTH);
        assertThat(read.of("west")).isEmpty();
    }

    @Test
    @DisplayName("a broker that was measured anew takes the place of what was there, and others stay")
    void replaced() {
        MeasuredRates again = Rates.of("south", new PerCore(7, 8, 9));
        assertThat(SizingFile.read(written(SOUTH, Rates.NORTH))
                        .with(List.of(again))
                        .brokers())
                .containsExactly(Rates.NORTH, again);
    }

    @Test
    @DisplayName("without a file there is no broker")
    void noFile() {
        assertThat(SizingFile.read(folder.resolve("none.yaml")).brokers()).isEmpty();
    }

    @Test
    @DisplayName("the file of this clone has two brokers, measured on a machine that it names")
    void ofThisClone() {
        assertThat(SizingFile.read(Installation.here().root().resolve(SizingFile.PLACE))
                        .brokers())
                .hasSize(2)
                .allSatisfy(rates -> {
                    assertThat(rates.measured().scenario()).isEqualTo("sizing");
                    assertThat(rates.measured().result()).startsWith("sizing-20");
                    assertThat(rates.measured().commit()).matches("[0-9a-f]{40}");
                    assertThat(rates.measured().machine()).contains("cores of");
                });
    }

    @Test
    @DisplayName("another unit is an unknown key, and the one that is known is missing")
    void unit() throws IOException {
        Path instead = changed("readingsPerSecondPerCore", "readingsPerMinutePerCore");
        assertThatThrownBy(() -> SizingFile.read(instead))
                .isInstanceOf(UserException.class)
                .hasMessageStartingWith(instead
                        + ": brokers[0].readingsPerSecondPerCore is missing; write it again: millrace benchmark");
        Path beside = changed("      job: 60000\n", "      job: 60000\n      jobPerMinute: 1000\n");
        assertThatThrownBy(() -> SizingFile.read(beside))
                .isInstanceOf(UserException.class)
                .hasMessage(beside + ": unknown key 'brokers[0].readingsPerSecondPerCore.jobPerMinute'; known there are"
                        + " broker, generator, job");
    }

    @Test
    @DisplayName(
            "what is missing, no number, zero, there twice, of another schema or no YAML is a sentence with the file")
    void wrong() throws IOException {
        assertThatThrownBy(() -> SizingFile.read(changed("      job: 60000\n", "")))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("sizing.yaml: brokers[0].readingsPerSecondPerCore.job is missing")
                .hasMessageContaining("millrace rates");
        assertThatThrownBy(() -> SizingFile.read(changed("job: 60000", "job: fast")))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("readingsPerSecondPerCore.job");
        assertThatThrownBy(() -> SizingFile.read(changed("job: 60000", "job: 0")))
                .isInstanceOf(UserException.class)
                .hasMessageEndingWith(
                        "sizing.yaml: broker north: readingsPerSecondPerCore.job is 0; it must be 1 or more");
        assertThatThrownBy(() -> SizingFile.read(changed(SizingFile.SCHEMA, "millrace-sizing-9")))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("has schema 'millrace-sizing-9'; this version of millrace reads");
        assertThatThrownBy(() -> SizingFile.read(changed("schema:", "schema: [")))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("sizing.yaml is no YAML");
        Path twice = written(Rates.NORTH);
        String text = Files.readString(twice);
        Files.writeString(twice, text + text.substring(text.indexOf("  - broker:")));
        assertThatThrownBy(() -> SizingFile.read(twice))
                .isInstanceOf(UserException.class)
                .hasMessageEndingWith("broker north: it is there twice; leave one");
    }
}
