package dev.millrace.brokers.pulsar;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;

/** Makes of a topic with one partition what a long quiet time makes of it. */
final class QuietTopic {
    private static final Duration BOUND = Duration.ofSeconds(60);

    private QuietTopic() {}

    /** Begins a new ledger, and waits until the broker has removed those before it, which every group has confirmed. */
    static void dropWhatIsConfirmed(PulsarOptions options, String topic) {
        PulsarAdmin admin = new PulsarAdmin(options);
        fine(
                admin,
                "POST",
                admin.topic(topic) + "/retention",
                "{\"retentionTimeInMinutes\":0,\"retentionSizeInMB\":0}");
        fine(admin, "PUT", admin.topic(topic) + "/unload", null);
        long deadline = System.nanoTime() + BOUND.toNanos();
        while (ledgers(admin, topic).stream().anyMatch(ledger -> ledger.entries() > 0)) {
            assertThat(System.nanoTime()).as("ledgers removed within %s", BOUND).isLessThan(deadline);
            admin.pause();
        }
    }

    private static List<Ledger> ledgers(PulsarAdmin admin, String topic) {
        return Ledger.of(admin.read(admin.partition(topic, 0) + "/internalStats", "describe '" + topic + "'"));
    }

    private static void fine(PulsarAdmin admin, String method, String path, String json) {
        String what = method + " " + path;
        admin.fine(admin.ask(method, path, json, what), what);
    }
}
