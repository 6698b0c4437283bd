package dev.millrace.connectors.api.broker;

import java.io.Serializable;

/** What the job writes to a topic and how an element becomes a record. */
public record SinkSpec<T>(String topic, RecordEncoder<T> encoder) implements Serializable {

    /** Turns an element into a record; serializable, used by one thread at a time. */
    public interface RecordEncoder<T> extends Serializable {
        byte[] key(T element);

        byte[] value(T element);

        /** The element's event time, epoch milliseconds, for brokers that keep one. */
        long timestamp(T element);
    }
}
