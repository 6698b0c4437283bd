package dev.millrace.deploy.stack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.connectors.api.store.ResultStores;
import dev.millrace.connectors.api.store.RowBinary;
import dev.millrace.connectors.api.store.StoreClient;
import dev.millrace.deploy.local.StackSettings;
import dev.millrace.deploy.local.StackState;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("server")
class SameWindowsTest {
    /** {@code -Dmillrace.test.readings=2000000} asks for more. */
    private static final int READINGS = Integer.getInteger("millrace.test.readings", 200_000);

    /** {@code -Dmillrace.test.job=latest-times} compares what the second job makes. */
    private static final String JOB = System.getProperty("millrace.test.job", "windows");

    private static final String START = "1700000000000";

    @TempDir
    Path base;

    /** What a store holds, in one line: equal when and only when every bit of every row is; and the job jar that made it. */
    private record Content(long rows, String sha256, String jobJarSha256) {}

    @Test
    @Timeout(value = 12, unit = TimeUnit.MINUTES)
    @DisplayName(
            "bounded runs of the same readings leave bit for bit the same windows on every broker, by the same job jar")
    void sameWindows() {
        Map<String, Content> contents = new LinkedHashMap<>();
        for (String broker : MillraceCommand.brokers()) {
            contents.put(broker, contentAfter(broker));
        }
        System.out.println(READINGS + " readings, " + JOB + ": " + contents);
        assertThat(contents).hasSizeGreaterThan(1);
        assertThat(contents.values())
                .allSatisfy(content -> assertThat(content.rows()).isPositive());
        assertThat(contents.values().stream().distinct())
                .as(contents.toString())
                .hasSize(1);
    }

    private Content contentAfter(String broker) {
        MillraceCommand millrace = new MillraceCommand(base);
        try {
            millrace.run(
                            "up",
                            "--broker",
                            broker,
                            "--job",
                            JOB,
                            "--readings",
                            Integer.toString(READINGS),
                            "--rate",
                            "max",
                            "--start",
                            START,
                            "--out-of-order-share",
                            "0.01")
                    .succeeded();
            StackState state = millrace.directory(broker).state().orElseThrow();
            assertThat(state.state()).isEqualTo(StackState.State.FINISHED);
            millrace.run("audit").succeeded();
            StackSettings settings = millrace.directory(broker).settings().orElseThrow();
            try (StoreClient store = ResultStores.named(settings.store()).connect(state.storeOptions())) {
                return content(store, millrace.status().path("jobJarSha256").asText());
            }
        } finally {
            millrace.run("down", "--all").succeeded();
            assertThat(millrace.processes()).isEmpty();
        }
    }

    private static Content content(StoreClient store, String jobJarSha256) {
        assertThat(jobJarSha256).hasSize(64);
        MessageDigest digest;
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
        RowBinary.Encoder encoder = new RowBinary.Encoder(512);
        store.windows(Long.MIN_VALUE, Long.MAX_VALUE, window -> {
            encoder.add(window);
            digest.update(encoder.take());
        });
        store.latestTimes(time -> {
            encoder.add(time);
            digest.update(encoder.take());
        });
        long rows = store.extent().rows();
        return new Content(rows, HexFormat.of().formatHex(digest.digest()), jobJarSha256);
    }
}
