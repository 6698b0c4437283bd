package dev.millrace.brokers.kafka;

import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.UserException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidPartitionsException;
import org.apache.kafka.common.errors.InvalidReplicationFactorException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Waits for an answer of the broker, with a bound, and turns what went wrong into a sentence. */
final class KafkaCalls {
    static final long BOUND_SECONDS = 30;

    private KafkaCalls() {}

    /** The answer; {@code what} completes the sentence "while it was asked to ...". */
    static <T> T await(Future<T> answer, String address, String what) {
        try {
            return answer.get(BOUND_SECONDS + 2, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw failure(e.getCause(), address, what);
        } catch (TimeoutException e) {
            throw silent(address, what, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EnvironmentException("interrupted while waiting for Kafka at " + address, e);
        }
    }

    static RuntimeException failure(Throwable cause, String address, String what) {
        if (cause instanceof UnknownTopicOrPartitionException) {
            return new UserException("Kafka at " + address + " has no such topic (asked to " + what + ")", cause);
        }
        if (cause instanceof InvalidTopicException
                || cause instanceof InvalidReplicationFactorException
                || cause instanceof InvalidPartitionsException) {
            return new UserException("Kafka at " + address + " refused to " + what + ": " + cause.getMessage(), cause);
        }
        if (cause instanceof AuthenticationException || cause instanceof AuthorizationException) {
            return new EnvironmentException(
                    "Kafka at " + address + " does not allow to " + what + ": " + cause.getMessage(), cause);
        }
        if (cause instanceof org.apache.kafka.common.errors.TimeoutException || cause instanceof RetriableException) {
            return silent(address, what, cause);
        }
        return new EnvironmentException(
                "Kafka at " + address + " failed to " + what + ": " + cause.getMessage(), cause);
    }

    static EnvironmentException silent(String address, String what, Throwable cause) {
        return new EnvironmentException(
                "no Kafka broker at " + address + " answered within " + BOUND_SECONDS + " s (asked to " + what
                        + "); is it running, and is the address right?",
                cause);
    }
}
