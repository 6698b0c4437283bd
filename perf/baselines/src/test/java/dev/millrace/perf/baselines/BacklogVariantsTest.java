package dev.millrace.perf.baselines;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.deploy.command.Millrace;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The whole benchmark, tiny: on the broker that every process of it can be built for, which is the first one with baselines. */
@Tag("server")
class BacklogVariantsTest {
    private static final List<String> VARIANTS = List.of("raw", "plain", "stock", "published", "ours");

    @TempDir
    Path base;

    @Test
    @Timeout(value = 8, unit = TimeUnit.MINUTES)
    @DisplayName("every variant drains the same topic, its rows are bit for bit what was sent, and the result is kept")
    void everyVariant() throws IOException {
        String broker = Built.brokerWith("official");
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int code = printing(
                out,
                "benchmark",
                "backlog",
                "--brokers",
                broker,
                "--variants",
                String.join(",", VARIANTS),
                "--readings",
                // The fastest variant must be seen at work more than once, on a machine that stalls for a while, too.
                "600000",
                "--devices",
                "200",
                "--window",
                "2s",
                "--rounds",
                "1",
                "--warm-up-passes",
                "1",
                "--warm-up-readings",
                "20000",
                "--up",
                "out-of-order-share=0.01",
                "--json",
                "--run-dir",
                base.toString());
        JsonNode result = Built.result(base);
        assertThat(new ObjectMapper().readTree(out.toString(StandardCharsets.UTF_8)))
                .as("nothing but the result is on standard output")
                .isEqualTo(result);
        Map<String, String> audits = new TreeMap<>();
        result.path("drains")
                .forEach(drain -> audits.put(
                        drain.path("variant").asText(), drain.path("audit").asText()));
        assertThat(audits)
                .isEqualTo(Map.of(
                        "stack", "equal",
                        "raw", "counted",
                        "plain", "equal",
                        "stock", "equal",
                        "published", "equal",
                        "ours", "equal"));
        assertThat(code).isZero();
        result.path("drains")
                .forEach(drain -> assertThat(drain.path("stolenShare").isNumber())
                        .as("the machine was looked at: " + drain)
                        .isEqualTo(Files.exists(Path.of("/proc/stat"))
                                && !drain.path("variant").asText().equals("stack")));
        assertThat(result.path("drains").findValues("warmUpReadings"))
                .as("the first pass goes to the end, however short the others are; the stack is not warmed")
                .extracting(JsonNode::asLong)
                .containsOnly(0L, 600_000L)
                .containsOnlyOnce(0L);
        assertThat(result.path("ratios").findValuesAsText("of")).contains("ours", "stock");
        assertThat(base.resolve(broker).resolve("broker"))
                .as("nothing is left but logs")
                .doesNotExist();
    }

    /** All that the command and what it starts within this process print, whoever prints it. */
    private static int printing(OutputStream out, String... arguments) {
        PrintStream before = System.out;
        System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
        try {
            return Millrace.run(arguments);
        } finally {
            System.setOut(before);
        }
    }
}
