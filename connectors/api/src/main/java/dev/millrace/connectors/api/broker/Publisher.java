package dev.millrace.connectors.api.broker;

import java.time.Duration;

/**
 * Sends payloads, open loop. Used by one thread; receipts come on the client's threads.
 *
 * @implSpec Publishing is idempotent: a send that the client retries is stored once. Accepted payloads of one key are stored in
 *     the order of their offers. An outage of the broker is waited out, however long: nothing accepted fails because of it.
 */
public interface Publisher extends AutoCloseable {

    /**
     * Offers one payload. NEVER blocks: false when the client's buffer is full or it waits for an answer first, and then
     * nothing was taken.
     *
     * @param eventTimeMillis for brokers that keep an event time beside the time at which they took the record
     * @param receipt called exactly once if and only if the offer was accepted
     */
    boolean offer(byte[] key, byte[] value, long eventTimeMillis, Receipt receipt);

    /** Waits until every accepted payload has its receipt; false when that takes longer than {@code timeout}. */
    boolean flush(Duration timeout);

    /** The largest payload it takes; a larger one gets {@link Receipt#refused}, and the next ones still pass. */
    int largestPayloadBytes();

    /** Drops what has no receipt yet (its receipt says unknown) and frees all threads within 10 s. */
    @Override
    void close();

    /** What became of one accepted payload; exactly one of the three is called, once. */
    interface Receipt {
        /** It is stored there. */
        void stored(int partition, dev.millrace.core.reading.Position position);

        /** It is not stored and will not be: too large, no such topic, no right. */
        void refused(String sentence);

        /** It may or may not be stored; reading the topic back tells. */
        void unknown(String sentence);
    }
}
