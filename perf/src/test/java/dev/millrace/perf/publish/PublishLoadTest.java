package dev.millrace.perf.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.core.settings.Options;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class PublishLoadTest {
    private final List<String> problems = new ArrayList<>();

    @Test
    @DisplayName("without options it is what a stack's generator sends")
    void defaults() {
        assertThat(PublishLoad.of(Map.of(), problems)).isEqualTo(new PublishLoad(4, 300, Options.none()));
        assertThat(problems).isEmpty();
    }

    @Test
    @DisplayName("what is the broker's goes to the broker, under its own names")
    void options() {
        PublishLoad load = PublishLoad.of(
                Map.of(
                        "partitions", "8",
                        "payload-bytes", "1000",
                        "broker-memory", "512MiB",
                        "broker.tuning", "latency"),
                problems);
        assertThat(load)
                .isEqualTo(new PublishLoad(8, 1000, Options.of(Map.of("memory", "512MiB", "tuning", "latency"))));
        assertThat(problems).isEmpty();
    }

    @Test
    @DisplayName("all that is wrong is said at once, with what would be right")
    void problems() {
        PublishLoad.of(Map.of("partitions", "0", "payload-bytes", "many", "window", "1s"), problems);
        assertThat(problems)
                .containsExactlyInAnyOrder(
                        "--up partitions is '0'; it must be a whole number from 1 to 1000",
                        "--up payload-bytes is 'many'; it must be a whole number from 200 to 1048576",
                        "--up window is nothing of a publisher; there are: partitions, payload-bytes, broker-memory,"
                                + " broker.KEY");
    }
}
