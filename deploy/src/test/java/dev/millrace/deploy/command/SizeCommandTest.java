package dev.millrace.deploy.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.deploy.local.Installation;
import dev.millrace.deploy.sizing.SizingFile;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SizeCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    Path folder;

    static List<String> brokers() {
        return SizingFile.read(Installation.here().root().resolve(SizingFile.PLACE)).brokers().stream()
                .map(rates -> rates.broker())
                .toList();
    }

    private int run(String... arguments) {
        return Millrace.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
    }

    @ParameterizedTest
    @MethodSource("brokers")
    @DisplayName("it prints each formula, where the rates are from, and what the machines cost")
    void printed(String broker) {
        assertThat(run("size", "--broker", broker, "--rate", "1000000", "--broker-nodes", "6"))
                .as(err.toString())
                .isZero();
        assertThat(out.toString())
                .startsWith("Size c5-i7i for 1,000,000 readings/s on " + broker)
                .contains(
                        "cores for the job ", "1,000,000 readings/s / (0.6 x ", "CPU of the brokers ", "/ (6 x 28 cpu)")
                .contains("The rates were measured on ", "Not in them: TLS")
                .containsPattern("broker +6 +i7i\\.8xlarge")
                .containsPattern("All machines together: \\d+\\.\\d+ USD per hour\\.")
                .contains("Prices: us-east-1, Linux, on-demand, ");
    }

    @ParameterizedTest
    @MethodSource("brokers")
    @DisplayName("as JSON it is the same, and the sum is that of the groups")
    void json(String broker) throws Exception {
        assertThat(run("size", "--broker", broker, "--rate", "1000000", "--broker-nodes", "6", "--json"))
                .isZero();
        assertThat(out.toString().lines()).hasSize(1);
        JsonNode root = new ObjectMapper().readTree(out.toString());
        assertThat(root.path("broker").asText()).isEqualTo(broker);
        assertThat(root.path("parallelism").asInt())
                .isEqualTo(16 * root.path("taskManagers").asInt());
        assertThat(root.path("steps").size()).isGreaterThan(10);
        assertThat(root.path("rates").path("measured").path("cpu").asText()).isNotEmpty();
        double sum = 0;
        for (JsonNode group : root.path("groups")) {
            sum += group.path("usdPerHour").asDouble();
        }
        assertThat(root.path("usdPerHour").asDouble()).isEqualTo(sum, org.assertj.core.api.Assertions.within(1e-9));
    }

    @Test
    @DisplayName("in a region without prices there is no sum, and it says so")
    void noPrice() {
        assertThat(run("size", "--broker", brokers().get(0), "--rate", "1000", "--region", "eu-west-1"))
                .isZero();
        assertThat(out.toString())
                .contains("no price, as one has none for eu-west-1 in deploy/infrastructure/prices")
                .doesNotContain("USD per hour.");
    }

    @Test
    @DisplayName("what is wrong is a sentence each, all at once, and exit code 2")
    void wrong() {
        assertThat(run(
                        "size",
                        "--broker",
                        "nowhere",
                        "--rate",
                        "-1",
                        "--broker-nodes",
                        "1",
                        "--size",
                        "tiny",
                        "--region",
                        "there"))
                .isEqualTo(Millrace.USER_ERROR);
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString().lines().toList())
                .hasSize(5)
                .anyMatch(line -> line.contains("--size: there is no size 'tiny'"))
                .anyMatch(line -> line.contains("--rate: '-1' must be"))
                .anyMatch(line -> line.contains("--broker-nodes: '1' must be 3, or 6"))
                .anyMatch(line -> line.contains("--region: 'there' is no region"))
                .anyMatch(line -> line.contains("--broker: 'nowhere' is no broker with a deployment of size c5-i7i"));
    }

    @ParameterizedTest
    @MethodSource("brokers")
    @DisplayName("what is written says the same as what is printed")
    void written(String broker) throws Exception {
        Path target = folder.resolve("sized");
        assertThat(run("size", "--broker", broker, "--rate", "100000", "--write", target.toString()))
                .as(err.toString())
                .isZero();
        assertThat(out.toString()).contains("Written: " + target);
        String kustomization = Files.readString(target.resolve("kustomization.yaml"));
        assertThat(kustomization)
                .contains("100000 readings/s on 3 broker nodes", "cores for the job ")
                .contains("deploy/kubernetes/c5-i7i\n");
        assertThat(Files.readString(target.resolve("stack.properties")))
                .contains("\nrate=100000\n", "broker=" + broker);
    }
}
