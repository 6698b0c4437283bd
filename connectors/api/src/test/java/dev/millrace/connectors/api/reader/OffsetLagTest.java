package dev.millrace.connectors.api.reader;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What is pending by offsets")
class OffsetLagTest {
    private final PendingRecords pending = new PendingRecords();
    private final List<Set<String>> asked = new ArrayList<>();
    private long nanos;
    private long end = 500;
    private Runnable meanwhile = () -> {};

    private final OffsetLag lag = new OffsetLag(
            pending,
            splitIds -> {
                asked.add(splitIds);
                meanwhile.run();
                return Map.of("a", end, "b", end);
            },
            () -> nanos);

    private void pass(Duration time) {
        nanos += time.toNanos();
    }

    @Test
    @DisplayName("is what the fetch thread told, and nobody is asked while it tells")
    void told() {
        lag.tell("a", 100, 130, Long.MAX_VALUE);
        lag.tell("b", 100, 130, 110);
        pass(Duration.ofMillis(1999));
        lag.askForSilent();
        assertThat(pending.total()).isEqualTo(40);
        assertThat(pending.splits()).isEqualTo(2);
        assertThat(asked).isEmpty();
    }

    @Test
    @DisplayName("is counted from the asked end where it has told nothing for two seconds, up to the split's stop")
    void asked() {
        lag.tell("a", 100, 130, Long.MAX_VALUE);
        pass(Duration.ofSeconds(2));
        lag.tell("b", 100, 130, 110);
        lag.askForSilent();
        assertThat(asked).containsExactly(Set.of("a"));
        assertThat(pending.total()).isEqualTo(400 + 10);
        pass(Duration.ofSeconds(2));
        end = 600;
        lag.askForSilent();
        assertThat(pending.total()).isEqualTo(500 + 10);
    }

    @Test
    @DisplayName("is not what was asked before the fetch thread told anew, or the split was finished")
    void overtaken() {
        lag.tell("a", 100, 130, Long.MAX_VALUE);
        lag.tell("b", 100, 130, 130);
        pass(Duration.ofSeconds(2));
        meanwhile = () -> {
            lag.tell("a", 495, 501, Long.MAX_VALUE);
            lag.finished("b");
        };
        lag.askForSilent();
        assertThat(pending.total()).isEqualTo(6);
    }

    @Test
    @DisplayName("does not fall back to an end that was said before the asked one")
    void fromBuffers() {
        lag.tell("a", 100, 130, Long.MAX_VALUE);
        pass(Duration.ofSeconds(2));
        lag.askForSilent();
        lag.tell("a", 110, 130, Long.MAX_VALUE);
        assertThat(pending.total()).isEqualTo(390);
        end = 700;
        lag.askForSilent();
        assertThat(pending.total()).isEqualTo(590);
        lag.tell("a", 120, 710, Long.MAX_VALUE);
        lag.askForSilent();
        assertThat(pending.total()).isEqualTo(590);
        assertThat(asked).hasSize(2);
    }

    @Test
    @DisplayName("is known of a split that waits for its first answer, and counted once an end was asked for")
    void begun() {
        lag.begin("a", 100, Long.MAX_VALUE);
        lag.askForSilent();
        assertThat(pending.splits()).isZero();
        pass(Duration.ofSeconds(2));
        lag.askForSilent();
        assertThat(pending.splits()).isEqualTo(1);
        assertThat(pending.total()).isEqualTo(400);
    }
}
