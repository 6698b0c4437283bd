package dev.millrace.perf;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion.VersionFlag;
import dev.millrace.deploy.local.Installation;
import dev.millrace.deploy.sizing.MeasuredRates.PerCore;
import dev.millrace.deploy.sizing.SizingFile;
import dev.millrace.perf.result.Figure;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RatesCommandTest {
    @TempDir
    Path base;

    /** With all that the scenario says. */
    private static Results result() {
        return new Results()
                .scenario("sizing")
                .setting("devices", "15625")
                .setting("payload-bytes", "300")
                .setting("partitions", "2")
                .setting("parallelism", "1")
                .setting("window", "10s")
                .setting("state-backend", "rocksdb");
    }

    private static Map<Figure, Double> figures(double generator, double broker, double job) {
        return Map.of(
                Figure.ACCEPTED_RATE, 15_625.4,
                Figure.CPU_GENERATOR, generator,
                Figure.CPU_BROKER, broker,
                Figure.CPU_JOB, job,
                Figure.CPU_TOTAL, generator + broker + job);
    }

    private Path north() {
        return result().subject("floor", true, 3)
                .subject("north", false)
                .run("north", figures(10, 8, 20))
                .run("north", figures(20, 8, 25))
                .run("north", figures(10, 8, 20), "the hypervisor took 9 %")
                .in(base.resolve("one"));
    }

    private Outcome rates(Path... results) {
        String[] arguments = new String[results.length + 3];
        arguments[0] = "rates";
        arguments[1] = "--to";
        arguments[2] = file().toString();
        for (int i = 0; i < results.length; i++) {
            arguments[i + 3] = results[i].toString();
        }
        return Outcome.of(arguments);
    }

    private Path file() {
        return base.resolve("sizing.yaml");
    }

    @Test
    @DisplayName("a million by the median of VALID runs' CPU seconds is the rate of a core, and the floor has none")
    void written() throws IOException {
        Outcome outcome = rates(north());
        assertThat(outcome.exitCode()).as(outcome.err()).isZero();
        assertThat(outcome.out())
                .contains("north: readings/s per core: generator 66,667, broker 125,000, job 44,444")
                .contains(file().toString());
        SizingFile written = SizingFile.read(file());
        assertThat(written.brokers()).singleElement().satisfies(rates -> {
            assertThat(rates.broker()).isEqualTo("north");
            assertThat(rates.readingsPerSecondPerCore()).isEqualTo(new PerCore(66_667, 125_000, 44_444));
            assertThat(rates.measured().runs()).isEqualTo(2);
            assertThat(rates.measured().commit()).isEqualTo("c0ffee");
            assertThat(rates.measured().date()).isEqualTo("2026-07-20");
            assertThat(rates.load().readingsPerSecond()).isEqualTo(15_625);
            assertThat(rates.load().replicas()).isEqualTo(1);
        });
        assertThat(schema().validate(new YAMLMapper().readTree(file().toFile())))
                .isEmpty();
    }

    @Test
    @DisplayName("another broker's result is added, and the same broker's replaces what was there")
    void added() {
        assertThat(rates(north()).exitCode()).isZero();
        Path south =
                result().subject("south", false).run("south", figures(1, 2, 4)).in(base.resolve("two"));
        assertThat(rates(south).exitCode()).isZero();
        assertThat(SizingFile.read(file()).brokers())
                .extracting(rates -> rates.broker())
                .containsExactly("north", "south");
        Path again = result().setting("rate", "15620")
                .subject("south", false)
                .run("south", figures(2, 4, 8))
                .in(base.resolve("three"));
        assertThat(rates(again).exitCode()).isZero();
        assertThat(SizingFile.read(file()).of("south").orElseThrow().readingsPerSecondPerCore())
                .isEqualTo(new PerCore(500_000, 250_000, 125_000));
        assertThat(SizingFile.read(file()).of("south").orElseThrow().load().readingsPerSecond())
                .isEqualTo(15_620);
        assertThat(SizingFile.read(file()).of("north")).isPresent();
    }

    @Test
    @DisplayName(
            "no VALID run, no CPU figure, an interrupted result and one that does not say its load are refused, all at once")
    void refused() {
        Path invalid = result().subject("north", false)
                .run("north", figures(1, 2, 3), "the lag grew")
                .in(base.resolve("invalid"));
        Path without = result().subject("south", false)
                .run("south", Map.of(Figure.CPU_BROKER, 3.0, Figure.CPU_GENERATOR, 1.0))
                .in(base.resolve("without"));
        Path other = new Results()
                .subject("west", false)
                .run("west", figures(1, 2, 3))
                .interrupted()
                .in(base.resolve("other"));
        Outcome outcome = rates(invalid, without, other);
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.err().lines())
                .hasSize(4)
                .anyMatch(line -> line.endsWith(invalid + ": no run of north is VALID: the lag grew"))
                .anyMatch(line -> line.startsWith(without + ": a run of south has no CPU of the job"))
                .anyMatch(line -> line.endsWith(other + " was interrupted; rates are taken of a whole one"))
                .anyMatch(line -> line.equals(other + " does not say the settings devices, payload-bytes, partitions,"
                        + " parallelism, window, state-backend; the scenario sizing says all of them"));
        assertThat(file()).doesNotExist();
    }

    @Test
    @DisplayName("a result of which not all runs are there is refused: its benchmark was killed, or is at work")
    void cutOff() {
        Path result = result().subject("north", false)
                .run("north", figures(1, 2, 3))
                .missing("north")
                .in(base.resolve("part"));
        Outcome outcome = rates(result);
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.err().lines())
                .containsExactly(
                        "millrace: " + result + " has 1 of 2 runs: its benchmark is not at its end, or was killed;"
                                + " rates are taken of a whole one");
        assertThat(file()).doesNotExist();
    }

    @Test
    @DisplayName(
            "facts of the machine that a result on a cluster cannot have, and of a build without git, have a sentence each")
    void facts() {
        Results cluster = result().subject("north", false).run("north", figures(1, 2, 3));
        List.of("cpu", "cores", "memory", "os", "java", "commit").forEach(cluster::without);
        Path result = cluster.in(base.resolve("cluster"));
        Outcome outcome = rates(result);
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.err().lines())
                .containsExactly(
                        "millrace: " + result
                                + " does not say the facts cpu, cores, memory, os, java; a benchmark on one"
                                + " machine (without --target kubernetes) says all of them",
                        result + " does not say the fact commit; a build in a clone of the git repository says it");
        assertThat(file()).doesNotExist();
    }

    @Test
    @DisplayName("a figure in a unit that is not known is refused")
    void unit() throws IOException {
        Path folder = north();
        Path result = folder.resolve("result.json");
        Files.writeString(
                result, Files.readString(result).replace("jobCpuSecondsPerMillion", "jobCpuMinutesPerMillion"));
        Outcome outcome = rates(folder);
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.err()).contains("jobCpuMinutesPerMillion").contains("is no whole benchmark result");
        assertThat(file()).doesNotExist();
    }

    @Test
    @DisplayName("two results of one broker are one too many")
    void twice() {
        Path north = north();
        Outcome outcome = rates(north, north);
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.err()).contains(": north is in sizing-one too; name one result of each broker");
    }

    @Test
    @DisplayName("the file of this clone fits its schema, which finds what is wrong")
    void ofThisClone() throws IOException {
        JsonNode tree = new YAMLMapper()
                .readTree(Installation.here().root().resolve(SizingFile.PLACE).toFile());
        assertThat(schema().validate(tree)).isEmpty();
        String wrong = tree.toString().replace("\"generator\":", "\"generators\":");
        assertThat(schema().validate(new ObjectMapper().readTree(wrong))).isNotEmpty();
    }

    private static JsonSchema schema() throws IOException {
        try (InputStream in = SizingFile.class.getResourceAsStream("sizing.schema.json")) {
            return JsonSchemaFactory.getInstance(VersionFlag.V202012).getSchema(new ObjectMapper().readTree(in));
        }
    }
}
