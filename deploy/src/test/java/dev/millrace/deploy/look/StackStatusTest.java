package dev.millrace.deploy.look;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.connectors.api.broker.EffectiveSettings;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class StackStatusTest {
    private static final StackStatus FULL = new StackStatus(
            "river",
            new EffectiveSettings(
                    "4.2", 3, "acks=all, min.insync.replicas=2", EffectiveSettings.Sync.LATER, "never", Map.of()),
            "ab12",
            "running",
            "",
            1_234_567L,
            1_230_000L,
            52_000L,
            0L,
            4567L,
            9_999.6,
            true,
            new SendQuantiles(1.25, 17.5),
            Instant.parse("2026-11-21T03:00:10Z"),
            2,
            4,
            0.25,
            31L,
            new AuditNote(Instant.parse("2026-11-21T03:00:00Z"), true, "All of it.", 52_000, 0, 0, 0),
            new BenchmarkNote(
                    3,
                    11,
                    "river",
                    "measure",
                    Instant.parse("2026-11-21T03:00:01Z"),
                    Instant.parse("2026-11-21T03:00:31Z"),
                    null),
            false,
            Map.of("broker", 0.5),
            Map.of("broker", "127.0.0.1:9092"),
            Map.of("broker", 77L));

    private static final StackStatus EMPTY = new StackStatus(
            "river",
            null,
            null,
            "starting",
            "the broker starts",
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            true,
            Map.of(),
            Map.of("broker", "river.example:9092"),
            Map.of());

    @Test
    @DisplayName("JSON has exactly the promised keys, also when nothing is known yet")
    void keys() throws IOException {
        for (StackStatus status : List.of(FULL, EMPTY)) {
            JsonNode json = new ObjectMapper().readTree(status.json());
            assertThat(json.fieldNames())
                    .toIterable()
                    .containsExactly(
                            "broker",
                            "brokerVersion",
                            "replicas",
                            "acks",
                            "fsync",
                            "jobJarSha256",
                            "state",
                            "readingsSent",
                            "readingsProcessed",
                            "windowsStored",
                            "latestTimesStored",
                            "lag",
                            "rateReadingsPerSecond",
                            "paced",
                            "sendP50Millis",
                            "sendP99Millis",
                            "lastWindowEnd",
                            "parallelism",
                            "partitions",
                            "backPressure",
                            "checkpointMillis",
                            "audit",
                            "benchmark",
                            "usedCores",
                            "urls",
                            "pids");
        }
    }

    @Test
    @DisplayName("JSON values are numbers, times are ISO 8601 in UTC, unknown is null")
    void values() throws IOException {
        JsonNode json = new ObjectMapper().readTree(FULL.json());
        assertThat(json.path("readingsSent").isIntegralNumber()).isTrue();
        assertThat(json.path("lastWindowEnd").asText()).isEqualTo("2026-11-21T03:00:10Z");
        assertThat(json.path("usedCores").path("broker").asDouble()).isEqualTo(0.5);
        assertThat(json.path("pids").path("broker").asLong()).isEqualTo(77);
        assertThat(json.path("urls").path("broker").asText()).isEqualTo("127.0.0.1:9092");
        assertThat(json.path("sendP99Millis").asDouble()).isEqualTo(17.5);
        assertThat(json.path("audit").toString())
                .isEqualTo("{\"auditedAt\":\"2026-11-21T03:00:00Z\",\"equal\":true,\"sentence\":\"All of it.\","
                        + "\"rowsChecked\":52000,\"missing\":0,\"surplus\":0,\"different\":0}");
        assertThat(json.path("benchmark").toString())
                .isEqualTo("{\"run\":3,\"runs\":11,\"subject\":\"river\",\"phase\":\"measure\","
                        + "\"phaseBegan\":\"2026-11-21T03:00:01Z\",\"phaseEnds\":\"2026-11-21T03:00:31Z\","
                        + "\"ends\":null}");
        JsonNode unknown = new ObjectMapper().readTree(EMPTY.json());
        for (String key : List.of("lag", "paced", "sendP50Millis", "sendP99Millis", "audit", "benchmark")) {
            assertThat(unknown.path(key).isNull()).as(key).isTrue();
        }
    }

    @Test
    @DisplayName("the text is aligned, plain ASCII, and says - for what is not known")
    void text() {
        assertThat(FULL.text().replace(System.lineSeparator(), "\n"))
                .isEqualTo(
                        """
                        broker    river 4.2
                        state     running
                        readings  1,234,567 sent, 1,230,000 processed, lag 4,567
                        rate      10,000 readings/s, send latency 1.3 ms (p50), 17.5 ms (p99)
                        windows   52,000 stored, the newest ends 2026-11-21T03:00:10Z
                        job       parallelism 2, 4 partitions, back pressure 25 %, last checkpoint 31 ms
                        durable   3 replicas, acks=all, min.insync.replicas=2; fsync never
                        job jar   sha256 ab12
                        audit     equal at 2026-11-21T03:00:00Z: All of it.
                        benchmark run 3 of 11, measure until 2026-11-21T03:00:31Z

                        process  pid  cores  where           metrics
                        broker    77   0.50  127.0.0.1:9092
                        """);
        assertThat(EMPTY.text()).contains("audit     never asked").doesNotContain("benchmark");
        assertThat(EMPTY.text()).contains("starting: the broker starts").contains("- sent, - processed, lag -");
        assertThat(EMPTY.text() + FULL.text()).matches("(?s)\\p{ASCII}*");
    }

    @Test
    @DisplayName("what the page gets is the same with the message and the time of the look")
    void forThePage() throws IOException {
        JsonNode status = new ObjectMapper().readTree(EMPTY.json());
        ObjectNode page = (ObjectNode) new ObjectMapper().readTree(EMPTY.json(Instant.parse("2026-11-21T03:00:12Z")));
        assertThat(page.remove("message").asText()).isEqualTo("the broker starts");
        assertThat(page.remove("lookedAt").asText()).isEqualTo("2026-11-21T03:00:12Z");
        assertThat(page).isEqualTo(status);
    }

    @Test
    @DisplayName("the text says where the page is while there is a supervisor to serve it")
    void page() {
        assertThat(supervisedBy(Map.of("supervisor", 7L)).text()).contains("page      http://127.0.0.1:8091/");
        assertThat(supervisedBy(Map.of()).text()).doesNotContain("page ");
    }

    private static StackStatus supervisedBy(Map<String, Long> pids) {
        return new StackStatus(
                "river",
                null,
                null,
                "running",
                "",
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                false,
                Map.of(),
                Map.of("supervisor", "http://127.0.0.1:8091"),
                pids);
    }
}
