package dev.millrace.deploy.stack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.connectors.api.store.ResultStores;
import dev.millrace.connectors.api.store.RowBinary;
import dev.millrace.connectors.api.store.StoreClient;
import dev.millrace.deploy.local.StackSettings;
import dev.millrace.deploy.local.StackState;
import java.io.IOException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
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
    private static final int READINGS = Integer.getInteger("millrace.test.readings", 100_000);

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
            "bounded runs of the same readings leave bit for bit the same windows on every broker, by the same job jar; one of"
                    + " them comes up as a plugin from outside, and every later command finds it by the stack")
    void sameWindows(@TempDir Path plugin, @TempDir Path scratch) throws IOException {
        Map<String, Content> contents = new LinkedHashMap<>();
        String copied = MillraceCommand.quickest();
        for (String broker : MillraceCommand.brokers()) {
            if (!broker.equals(copied)) {
                contents.put(broker, contentAfter(broker, "--broker", broker));
            }
        }
        OutsideCopy.pack(copied, plugin, scratch);
        contents.put(copied, contentAfter("elsewhere", "--plugin-dir", plugin.toString()));
        System.out.println(READINGS + " readings, " + JOB + ": " + contents);
        assertThat(contents).hasSizeGreaterThan(1);
        assertThat(contents.values())
                .allSatisfy(content -> assertThat(content.rows()).isPositive());
        assertThat(contents.values().stream().distinct())
                .as(contents.toString())
                .hasSize(1);
    }

    private Content contentAfter(String broker, String... named) {
        MillraceCommand millrace = new MillraceCommand(base);
        try {
            List<String> up = new ArrayList<>(List.of("up"));
            up.addAll(List.of(named));
            up.addAll(List.of("--job", JOB, "--readings", Integer.toString(READINGS), "--rate", "max"));
            up.addAll(List.of("--start", START, "--out-of-order-share", "0.01"));
            millrace.run(up.toArray(String[]::new)).succeeded();
            StackState state = millrace.directory(broker).state().orElseThrow();
            assertThat(state.state()).isEqualTo(StackState.State.FINISHED);
            millrace.run("audit").succeeded();
            assertThat(millrace.status().path("broker").asText()).isEqualTo(broker);
            assertThat(millrace.status().path("brokerVersion").asText()).isNotBlank();
            assertThat(millrace.status().path("replicas").asInt()).isEqualTo(1);
            if (named[0].equals("--plugin-dir")) {
                assertThat(millrace.run("brokers").succeeded())
                        .containsPattern(broker + " +built +finished .*" + named[1]);
                millrace.run("results", "--limit", "1").succeeded();
            }
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
