package dev.millrace.brokers.pulsar;

import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.UserException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.apache.pulsar.client.api.PulsarClientException;

/** Waits for an answer of the client, with a bound, and turns what went wrong into a sentence. */
final class PulsarCalls {
    private PulsarCalls() {}

    /** The answer; {@code what} completes the sentence "while it was asked to ...". */
    static <T> T await(CompletableFuture<T> answer, String address, String what) {
        try {
            return answer.get(PulsarClients.BOUND_SECONDS + 2, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw failure(e.getCause(), address, what);
        } catch (TimeoutException e) {
            throw silent(address, what, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EnvironmentException("interrupted while waiting for Pulsar at " + address, e);
        }
    }

    /** Whether the topic is not there. */
    static boolean isMissing(Throwable failure) {
        Throwable cause = cause(failure);
        return cause instanceof PulsarClientException.NotFoundException
                || cause instanceof PulsarClientException.TopicDoesNotExistException;
    }

    /** For a future's stages: the given value where the topic is not there, any other failure as it is. */
    static <T> Function<Throwable, T> unlessMissing(T value) {
        return failure -> {
            if (isMissing(failure)) {
                return value;
            }
            throw new CompletionException(cause(failure));
        };
    }

    private static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    /** Whether nobody answered; a refused connection comes wrapped several times. */
    static boolean isSilence(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof PulsarClientException.TimeoutException
                    || cause instanceof PulsarClientException.ConnectException
                    || cause instanceof PulsarClientException.LookupException
                    || cause instanceof java.net.ConnectException) {
                return true;
            }
        }
        return false;
    }

    static RuntimeException failure(Throwable cause, String address, String what) {
        if (isMissing(cause)) {
            return new UserException("Pulsar at " + address + " has no such topic (asked to " + what + ")", cause);
        }
        if (cause instanceof PulsarClientException.InvalidTopicNameException) {
            return new UserException("Pulsar at " + address + " refused to " + what + ": " + sentence(cause), cause);
        }
        if (cause instanceof PulsarClientException.AuthenticationException
                || cause instanceof PulsarClientException.GettingAuthenticationDataException) {
            return new EnvironmentException(
                    "Pulsar at " + address + " refuses the login (" + sentence(cause)
                            + "); it is what the options client.auth* say",
                    cause);
        }
        if (cause instanceof PulsarClientException.AuthorizationException) {
            return new EnvironmentException(
                    "Pulsar at " + address + " does not allow to " + what + ": " + sentence(cause), cause);
        }
        if (isSilence(cause)) {
            return silent(address, what, cause);
        }
        return new EnvironmentException("Pulsar at " + address + " failed to " + what + ": " + sentence(cause), cause);
    }

    /** Waits for a producer; what is wrong where another of its name is still connected, null when it is made. */
    static PulsarClientException.ProducerBusyException busy(CompletableFuture<?> made, String address, String what) {
        try {
            await(made, address, what);
            return null;
        } catch (EnvironmentException e) {
            if (e.getCause() instanceof PulsarClientException.ProducerBusyException busy) {
                return busy;
            }
            throw e;
        }
    }

    /** How a future failed that is known to have failed. */
    static Throwable failureOf(CompletableFuture<?> failed) {
        try {
            failed.join();
            return null;
        } catch (CompletionException e) {
            return e.getCause();
        }
    }

    static EnvironmentException silent(String address, String what, Throwable cause) {
        return new EnvironmentException(
                "no Pulsar broker at " + address + " answered within " + PulsarClients.BOUND_SECONDS + " s (asked to "
                        + what + "); is it running, and is the address right?",
                cause);
    }

    static String sentence(Throwable failure) {
        String message = failure.getMessage();
        return message == null ? failure.getClass().getSimpleName() : message;
    }
}
