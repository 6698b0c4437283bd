package dev.millrace.connectors.testkit.broker;

import dev.millrace.connectors.api.broker.Broker;
import dev.millrace.connectors.api.broker.LocalBroker;
import dev.millrace.core.settings.Options;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * What the contract has to know of the broker that it is held against. A plugin says it once, in an interface that extends this
 * one, and both of its test classes implement that.
 */
public interface Subject {
    /** The plugin under test. */
    Broker broker();

    /** What {@link Broker#startLocal} gets: a bound on memory above all. */
    Options localOptions();

    /** What a single step may take on a slow and shared machine before its sentence fails. */
    default Duration bound() {
        return Duration.ofSeconds(30);
    }

    /**
     * What each topic is to keep, bytes; more than any sentence writes. The topics of all sentences stay: a server that has no room to
     * promise them so much is asked for -1.
     */
    default long topicBytes() {
        return 128 << 20;
    }

    /** How long the server may take to drop what retention allows it to drop. */
    default Duration retentionBound() {
        return Duration.ofSeconds(60);
    }

    /** How long the server is silent in the sentence about silence: longer than any time-out that a client may have. */
    default Duration silence() {
        return Duration.ofSeconds(40);
    }

    /** How often the source is killed in mid-batch; a broker that is known to be broken shows it sooner. */
    default int kills() {
        return 10;
    }

    /**
     * Whether clients, wherever they first connected, go on to the address that the server tells them. Then {@link
     * Broker#startLocal} knows the options {@code inner-port} (a second port on which the server listens) and {@code
     * advertised-port} (what it tells those who come in there), so that they stay behind a proxy.
     */
    default boolean tellsItsAddress() {
        return false;
    }

    /**
     * What makes publishers store batches of {@value FaultChapter#BATCH} and more, and the source hand them on in smaller
     * chunks where it can; added to {@link LocalBroker#options}.
     */
    default Options ofBatches(Options options) {
        return options;
    }

    /** How many batches of the topic the server holds, by the server's own data; empty where it does not store batches. */
    default OptionalLong storedBatches(LocalBroker local, String topic) {
        return OptionalLong.empty();
    }
}
