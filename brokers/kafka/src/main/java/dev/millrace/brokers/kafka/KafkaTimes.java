package dev.millrace.brokers.kafka;

import org.jspecify.annotations.Nullable;

/** Times as a record may have them. */
final class KafkaTimes {
    private KafkaTimes() {}

    /** Null, for which the client takes its clock, where Kafka refuses one: before 1970. A device whose clock is unset may send such. */
    static @Nullable Long orNone(long epochMillis) {
        return epochMillis < 0 ? null : epochMillis;
    }
}
