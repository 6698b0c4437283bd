package dev.millrace.deploy.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.deploy.infrastructure.Terraform;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The command as its own process, in a clone whose machines are resources that Terraform brings itself: no provider, no account. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class InfrastructureCommandTest {
    private static final long BOUND_SECONDS = 120;

    /** Files in the state's folder say what goes wrong: hold, no-make, no-end. */
    private static final String CONFIGURATION =
            """
            variable "region" { type = string }
            variable "extra" { default = 0 }
            resource "terraform_data" "first" {}
            resource "terraform_data" "extra" { count = var.extra }
            resource "terraform_data" "second" {
              depends_on = [terraform_data.first]
              provisioner "local-exec" {
                command = "touch started; while [ -e hold ]; do sleep 0.1; done; test ! -e no-make"
              }
              provisioner "local-exec" {
                when    = destroy
                command = "test ! -e no-end"
              }
            }
            """;

    @TempDir
    Path base;

    private Path state;
    private Path out;
    private Path err;

    @BeforeAll
    static void thereIsATerraform() {
        assumeTrue(Terraform.isThere(), "there is no program 'terraform' on the PATH");
    }

    @BeforeEach
    void thereIsAClone() throws IOException {
        Path configuration = Files.createDirectories(base.resolve("clone/deploy/infrastructure/aws"));
        Files.writeString(configuration.resolve("main.tf"), CONFIGURATION);
        Files.createDirectories(base.resolve("clone/deploy/infrastructure/prices"));
        Files.createDirectories(base.resolve("clone/brokers/any"));
        state = Files.createDirectories(base.resolve("state/millrace"));
    }

    private Process start(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                "-Dmillrace.root=" + base.resolve("clone"),
                Millrace.class.getName(),
                "infrastructure"));
        command.addAll(List.of(arguments));
        command.addAll(List.of("--state-dir", base.resolve("state").toString()));
        out = Files.createTempFile(base, "out", ".txt");
        err = Files.createTempFile(base, "err", ".txt");
        return new ProcessBuilder(command)
                .redirectInput(ProcessBuilder.Redirect.from(
                        Files.createTempFile(base, "in", ".txt").toFile()))
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
    }

    private int run(String... arguments) throws IOException, InterruptedException {
        return end(start(arguments));
    }

    private static int end(Process process) throws InterruptedException {
        try {
            assertThat(process.waitFor(BOUND_SECONDS, TimeUnit.SECONDS))
                    .as("it ended")
                    .isTrue();
        } finally {
            process.destroyForcibly();
        }
        return process.exitValue();
    }

    private int apply() throws IOException, InterruptedException {
        return run("apply", "--yes", "--allow-cidr", "203.0.113.7/32");
    }

    /** An apply whose second resource is being made until the file hold is deleted. */
    private Process applyAtWork() throws IOException, InterruptedException {
        Files.createFile(state.resolve("hold"));
        try (WatchService changes = state.getFileSystem().newWatchService()) {
            state.register(changes, StandardWatchEventKinds.ENTRY_CREATE);
            Process process = start("apply", "--yes", "--allow-cidr", "203.0.113.7/32");
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(BOUND_SECONDS);
            while (!Files.exists(state.resolve("started"))) {
                assertThat(process.isAlive() && System.nanoTime() < end)
                        .as("the apply is at work: %s", Files.readString(err))
                        .isTrue();
                WatchKey key = changes.poll(1, TimeUnit.SECONDS);
                if (key != null) {
                    key.pollEvents();
                    key.reset();
                }
            }
            return process;
        }
    }

    @Test
    @DisplayName("an apply that fails half way says what it leaves that is billed")
    void applyFails() throws Exception {
        Files.createFile(state.resolve("no-make"));
        assertThat(apply()).as(Files.readString(err)).isEqualTo(Millrace.ENVIRONMENT_ERROR);
        assertThat(Files.readString(out))
                .contains("Still billed:", "  terraform_data.first (in Terraform's state)", "--region us-east-1 ");
        assertThat(Files.readString(err)).contains("Terraform could not apply the plan");
        Files.delete(state.resolve("no-make"));
        assertThat(apply()).as(Files.readString(err)).isZero();
        assertThat(Files.readString(out)).contains("Made.").doesNotContain("Still billed");
    }

    @Test
    @DisplayName("an apply that is interrupted waits for Terraform, and then says what it leaves that is billed")
    void applyIsInterrupted() throws Exception {
        Files.createFile(state.resolve("no-make"));
        Process process = applyAtWork();
        process.destroy();
        Files.delete(state.resolve("hold"));
        assertThat(end(process)).isNotZero();
        assertThat(Files.readString(out))
                .contains("Still billed:", "  terraform_data.first (in Terraform's state)", "Values=millrace");
    }

    @Test
    @DisplayName("while one command is at work another one on the same folder is refused, and told which one it is")
    void oneAtATime() throws Exception {
        Process process = applyAtWork();
        try {
            assertThat(run("plan", "--allow-cidr", "203.0.113.7/32", "--region", "eu-west-1"))
                    .isEqualTo(Millrace.USER_ERROR);
            assertThat(Files.readString(err))
                    .contains("millrace: millrace infrastructure apply (process " + process.pid() + ") is at work in "
                            + state);
        } finally {
            Files.delete(state.resolve("hold"));
            end(process);
        }
        assertThat(run("destroy", "--yes")).as(Files.readString(err)).isZero();
        assertThat(Files.readString(out)).contains("--region us-east-1 ").doesNotContain("terraform_data.first (in");
    }

    @Test
    @DisplayName("a destroy that fails says what is left, and the next one still names the bucket that was kept")
    void destroyFails() throws Exception {
        assertThat(apply()).as(Files.readString(err)).isZero();
        thereIsABucket();
        Files.createFile(state.resolve("no-end"));
        assertThat(run("destroy", "--yes")).isEqualTo(Millrace.ENVIRONMENT_ERROR);
        assertThat(Files.readString(out))
                .contains("Still billed:", "  terraform_data.second (in Terraform's state)")
                .contains("  bucket millrace-state-1, kept with its data");
        assertThat(Files.readString(err)).contains("Terraform could not destroy");
        Files.delete(state.resolve("no-end"));
        assertThat(run("destroy", "--yes")).as(Files.readString(err)).isZero();
        assertThat(Files.readString(out))
                .contains("  bucket millrace-state-1, kept with its data")
                .doesNotContain("in Terraform's state)");
    }

    /** In the state as the configuration for AWS puts it there; it is only forgotten, so nothing is asked about it. */
    private void thereIsABucket() throws IOException {
        Path file = state.resolve("terraform.tfstate");
        ObjectMapper json = new ObjectMapper();
        ObjectNode root = (ObjectNode) json.readTree(file.toFile());
        root.withObject("/outputs/state_bucket")
                .put("value", "millrace-state-1")
                .put("type", "string");
        ((ArrayNode) root.path("resources"))
                .add(
                        json.readTree(
                                """
                                {"mode": "managed", "type": "aws_s3_bucket", "name": "state",
                                 "provider": "provider[\\"terraform.io/builtin/terraform\\"]",
                                 "instances": [{"schema_version": 0, "attributes": {"bucket": "millrace-state-1"}}]}
                                """));
        json.writeValue(file.toFile(), root);
    }

    @Test
    @DisplayName(
            "a plan without an account reads a person's own variables from beside the state, and nothing once they are gone")
    void ownVariables() throws Exception {
        Path own = state.resolve("own.auto.tfvars.json");
        Files.writeString(own, "{\"extra\": 2}");
        assertThat(toMake()).isEqualTo(4);
        Files.delete(own);
        assertThat(toMake()).isEqualTo(2);
    }

    private int toMake() throws IOException, InterruptedException {
        assertThat(run("plan", "--offline", "--json", "--allow-cidr", "203.0.113.7/32"))
                .as(Files.readString(err))
                .isZero();
        return new ObjectMapper().readTree(out.toFile()).path("toMake").asInt();
    }
}
