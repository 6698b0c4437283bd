package dev.millrace.brokers.kafka;

import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.UserException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidPartitionsException;
import org.apache.kafka.common.errors.InvalidReplicationFactorException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.errors.UnsupportedVersionException;

/** Waits for an answer of the broker, with a bound, and turns what went wrong into a sentence. */
final class KafkaCalls {
    static final long BOUND_SECONDS = 30;

    /** So long a topic may be unknown to brokers that are just starting; then it was deleted. */
    static final Duration MISSING_BOUND = Duration.ofSeconds(30);

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
        if (cause instanceof SslAuthenticationException) {
            return new EnvironmentException(
                    "TLS with Kafka at " + address + " failed (" + root(cause)
                            + "); the options client.ssl.* must name the certificates that it has and trusts",
                    cause);
        }
        if (cause instanceof AuthenticationException) {
            return new EnvironmentException(
                    "Kafka at " + address + " refuses the login (" + cause.getMessage()
                            + "); it is what the options client.sasl.* say",
                    cause);
        }
        if (cause instanceof UnsupportedVersionException) {
            return new EnvironmentException(
                    "the server at " + address + " is too old a Kafka, or not all of it: it cannot " + what + " ("
                            + cause.getMessage() + ")",
                    cause);
        }
        if (cause instanceof AuthorizationException) {
            return new EnvironmentException(
                    "Kafka at " + address + " does not allow to " + what + ": " + cause.getMessage(), cause);
        }
        if (cause instanceof org.apache.kafka.common.errors.TimeoutException || cause instanceof RetriableException) {
            return silent(address, what, cause);
        }
        return new EnvironmentException(
                "Kafka at " + address + " failed to " + what + ": " + cause.getMessage(), cause);
    }

    /** A client that could not even be made: its last own word says of what it failed, and the root says why. */
    static EnvironmentException unusable(KafkaException failure, String what) {
        Throwable own = failure;
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            own = cause instanceof KafkaException ? cause : own;
        }
        String root = root(failure);
        return new EnvironmentException(
                what + ": " + own.getMessage() + (own.getMessage().equals(root) ? "" : " (" + root + ")"), failure);
    }

    private static String root(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root.getMessage();
    }

    static EnvironmentException silent(String address, String what, Throwable cause) {
        return new EnvironmentException(
                "no Kafka broker at " + address + " answered within " + BOUND_SECONDS + " s (asked to " + what
                        + "); is it running, is the address right, and does it want TLS or a login (options client.*)?",
                cause);
    }
}
