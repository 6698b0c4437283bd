package dev.millrace.deploy.infrastructure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.deploy.command.Millrace;
import dev.millrace.deploy.local.Installation;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The configuration for AWS, with AWS's own provider and no account; skipped where Terraform or the provider cannot be had. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class AwsConfigurationTest {
    private static final long BOUND_SECONDS = 150;
    private static final Path ROOT = Installation.here().root();
    private static final Path CONFIGURATION = ROOT.resolve("deploy/infrastructure/aws");

    @TempDir
    static Path base;

    private static Path work;

    @BeforeAll
    static void thereIsTheProvider() throws IOException {
        assumeTrue(Terraform.isThere(), "there is no program 'terraform' on the PATH");
        work = base.resolve("work");
        try {
            Terraform.in(work, CONFIGURATION, Map.of(), "a test").close();
        } catch (EnvironmentException e) {
            assertThat(e).as("a configuration whose provider could be had").hasMessageContaining("provider");
            abort("AWS's provider cannot be had here: " + e.getMessage());
        }
        Path tests = Files.createDirectories(work.resolve("tests"));
        try (Stream<Path> files = Files.list(CONFIGURATION.resolve("tests"))) {
            for (Path file : files.toList()) {
                Files.copy(file, tests.resolve(file.getFileName()));
            }
        }
    }

    private static void terraform(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("terraform"));
        command.addAll(List.of(arguments));
        File said = base.resolve("said.txt").toFile();
        Process process = new ProcessBuilder(command)
                .directory(work.toFile())
                .redirectErrorStream(true)
                .redirectOutput(said)
                .start();
        try {
            assertThat(process.waitFor(BOUND_SECONDS, TimeUnit.SECONDS))
                    .as("%s ended", command)
                    .isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(process.exitValue())
                .as("%s: %s", command, Files.readString(said.toPath()))
                .isZero();
    }

    @Test
    @DisplayName("it is valid and formatted as Terraform formats")
    void valid() throws Exception {
        terraform("validate", "-no-color");
        terraform("fmt", "-check", "-recursive", "-diff");
    }

    @Test
    @DisplayName("its own tests pass")
    void ownTests() throws Exception {
        terraform("test", "-no-color");
        assertThat(Files.readString(base.resolve("said.txt")))
                .contains("Success!")
                .doesNotContain("0 passed");
    }

    @Test
    @DisplayName("a plan without an account has the README's machines, and their sum is that of the price files")
    void planWithoutAccount() throws Exception {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = Millrace.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(
                        "infrastructure",
                        "plan",
                        "--offline",
                        "--allow-cidr",
                        "203.0.113.7/32",
                        "--json",
                        "--state-dir",
                        base.toString());
        assertThat(code).as(err.toString()).isZero();
        JsonNode plan = new ObjectMapper().readTree(out.toString());
        String readme = Files.readString(ROOT.resolve("README.md"));
        BigDecimal sum = BigDecimal.ZERO;
        assertThat(plan.path("groups")).isNotEmpty();
        for (JsonNode group : plan.path("groups")) {
            String type = group.path("type").asText();
            int nodes = group.path("nodes").asInt();
            assertThat(readme).contains("| " + group.path("name").asText() + " | " + nodes + " x " + type + " |");
            sum = sum.add(price(type).multiply(BigDecimal.valueOf(nodes)));
        }
        assertThat(plan.path("usdPerHour").decimalValue()).isEqualByComparingTo(sum);
        assertThat(plan.path("billedWithoutPrice").toString())
                .contains("control plane", "NAT gateway", "bucket", "gp3", "pods ask for");
        assertThat(plan.path("toMake").asInt()).isGreaterThan(20);
        assertThat(plan.path("toDelete").asInt()).isZero();
    }

    @Test
    @DisplayName("with a rate there are as many nodes for job and generators as the derivation of any broker takes")
    void planOfARate() throws Exception {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = Millrace.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(
                        "infrastructure",
                        "plan",
                        "--offline",
                        "--allow-cidr",
                        "203.0.113.7/32",
                        "--json",
                        "--broker-nodes",
                        "6",
                        "--rate",
                        "1000000",
                        "--name",
                        "rate",
                        "--state-dir",
                        base.toString());
        assertThat(code).as(err.toString()).isZero();
        JsonNode plan = new ObjectMapper().readTree(out.toString());
        int taskManagers = 0;
        int generators = 0;
        assertThat(plan.path("sizes")).isNotEmpty();
        for (JsonNode size : plan.path("sizes")) {
            taskManagers = Math.max(taskManagers, size.path("taskManagers").asInt());
            generators = Math.max(generators, size.path("generators").asInt());
        }
        for (JsonNode group : plan.path("groups")) {
            int wanted =
                    switch (group.path("name").asText()) {
                        case "broker" -> 6;
                        case "flink" -> taskManagers;
                        case "load" -> generators;
                        default -> 3;
                    };
            assertThat(group.path("nodes").asInt()).as(group.toString()).isEqualTo(wanted);
        }
    }

    @Test
    @DisplayName("a rate that is none, or that the brokers cannot carry, is refused before Terraform is at work")
    void badRate() {
        for (String[] wrong :
                List.of(new String[] {"none", "3"}, new String[] {"1000", "4"}, new String[] {"90000000", "6"})) {
            StringWriter err = new StringWriter();
            int code = Millrace.commandLine()
                    .setErr(new PrintWriter(err, true))
                    .execute(
                            "infrastructure",
                            "plan",
                            "--offline",
                            "--allow-cidr",
                            "203.0.113.7/32",
                            "--rate",
                            wrong[0],
                            "--broker-nodes",
                            wrong[1],
                            "--state-dir",
                            base.toString());
            assertThat(code).isEqualTo(Millrace.USER_ERROR);
            assertThat(err.toString())
                    .containsAnyOf("--rate: 'none'", "--broker-nodes: '4'", "cannot carry 90,000,000");
            assertThat(err.toString()).doesNotContain("Terraform");
        }
    }

    /** Straight from the files' lines, not by the code that is under test. */
    private static BigDecimal price(String type) throws IOException {
        try (Stream<Path> files = Files.list(ROOT.resolve("deploy/infrastructure/prices"))) {
            for (Path file : files.toList()) {
                for (String line : Files.readAllLines(file)) {
                    if (line.startsWith(type + ",")) {
                        return new BigDecimal(line.split(",")[1]);
                    }
                }
            }
        }
        throw new AssertionError("no price of " + type);
    }
}
