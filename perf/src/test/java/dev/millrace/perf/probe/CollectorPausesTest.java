package dev.millrace.perf.probe;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CollectorPausesTest {
    /** As JDK 17 writes them: Serial, Parallel, G1, and what is no pause. */
    private static final List<String> LINES = List.of(
            "[2026-11-22T08:46:30.596+0000] Using G1",
            "[2026-11-22T08:46:31.560+0000] GC(0) Pause Young (Allocation Failure) 5M->2M(19M) 25.812ms",
            "[2026-11-22T08:46:33.116+0000] GC(1) Pause Young (Normal) (G1 Evacuation Pause) 6M->3M(20M) 9.500ms",
            "[2026-11-22T10:46:33.120+0200] GC(2) Pause Full (System.gc()) 6M->3M(20M) 0.500ms",
            "[2026-11-22T08:46:33.320+0000] GC(3) Concurrent Mark Cycle 113.128ms",
            "[2026-11-22T08:46:34.000+0000] GC(4) Pause Remark 7M->7M(20M) 1.000ms",
            "[2026-11-22T08:46:3");

    private static long at(String time) {
        return Instant.parse(time).toEpochMilli();
    }

    @Test
    void pausesOfThePhaseAreAddedUp() {
        assertThat(CollectorPauses.of(LINES, at("2026-11-22T08:46:33Z"), at("2026-11-22T08:46:34Z")))
                .isEqualTo(new CollectorPauses(10, 9.5));
    }

    @Test
    void aPhaseWithoutPausesHasNone() {
        assertThat(CollectorPauses.of(LINES, at("2026-11-22T08:47:00Z"), at("2026-11-22T08:48:00Z")))
                .isEqualTo(new CollectorPauses(0, 0));
    }

    @Test
    void pausesBeforeTheLastRotationCount(@TempDir Path folder) throws IOException {
        Path log = rotated(folder);
        assertThat(CollectorPauses.between(log, at("2026-11-22T08:46:31Z"), at("2026-11-22T08:46:35Z")))
                .hasValue(new CollectorPauses(36.812, 25.812));
    }

    @Test
    void aLogThatNoLongerGoesBackToTheStartSaysNothing(@TempDir Path folder) throws IOException {
        Path log = rotated(folder);
        assertThat(CollectorPauses.between(log, at("2026-11-22T08:46:30Z"), at("2026-11-22T08:46:35Z")))
                .isEmpty();
        // Nothing is gone when nothing was rotated: the JVM itself started later.
        Files.delete(folder.resolve("broker-gc.log.0"));
        assertThat(CollectorPauses.between(log, at("2026-11-22T08:46:30Z"), at("2026-11-22T08:46:35Z")))
                .hasValue(new CollectorPauses(1.5, 1));
    }

    /** The line that is moved while both are read is in both. */
    private static Path rotated(Path folder) throws IOException {
        Files.write(folder.resolve("broker-gc.log.0"), LINES.subList(0, 4));
        return Files.write(folder.resolve("broker-gc.log"), LINES.subList(3, LINES.size()));
    }

    @Test
    void aLogThatIsNotThereSaysNothing(@TempDir Path folder) {
        assertThat(CollectorPauses.between(folder.resolve("broker-gc.log"), 0, 1))
                .isEmpty();
    }
}
