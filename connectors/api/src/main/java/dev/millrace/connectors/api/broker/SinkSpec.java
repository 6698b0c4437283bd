package dev.millrace.connectors.api.broker;

import java.io.Serializable;
import java.time.Duration;

/**
 * What the job writes to a topic and how an element becomes a record.
 *
 * @param sendLimit how long the broker may take to acknowledge a record; zero: for ever. A send that takes longer fails the sink, so
 *     the job starts again from its checkpoint and writes the record again: nothing is lost by it.
 */
public record SinkSpec<T>(String topic, RecordEncoder<T> encoder, Duration sendLimit) implements Serializable {

    /** The shortest limit that every broker's client can keep. */
    public static final Duration LEAST_SEND_LIMIT = Duration.ofSeconds(1);

    public SinkSpec {
        if (!sendLimit.isZero() && sendLimit.compareTo(LEAST_SEND_LIMIT) < 0) {
            throw new IllegalArgumentException("the send limit is " + sendLimit + "; it must be at least "
                    + LEAST_SEND_LIMIT + ", or zero for none");
        }
    }

    /** Without a limit: an outage of the broker is waited out. */
    public SinkSpec(String topic, RecordEncoder<T> encoder) {
        this(topic, encoder, Duration.ZERO);
    }

    /** Turns an element into a record; serializable, used by one thread at a time. */
    public interface RecordEncoder<T> extends Serializable {
        byte[] key(T element);

        byte[] value(T element);

        /** The element's event time, epoch milliseconds, for brokers that keep one. */
        long timestamp(T element);
    }
}
