package dev.millrace.brokers.pulsar;

import dev.millrace.core.settings.EnvironmentException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.apache.pulsar.client.api.ClientBuilder;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.SizeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The one place where clients are made from the options; address, security and time-outs are settled here. */
public final class PulsarClients {
    /** What one question to the broker may take. */
    static final int BOUND_SECONDS = 30;

    /** A producer's buffer is a bound of its own; this one is for what a consumer has received. */
    private static final long MEMORY_LIMIT_BYTES = 64L << 20;

    private static final Duration CLOSE_BOUND = Duration.ofSeconds(4);

    private static final Logger LOG = LoggerFactory.getLogger(PulsarClients.class);

    private PulsarClients() {}

    /** A client that reads and asks. The caller closes it. */
    public static PulsarClient client(PulsarOptions options) {
        return client(options, MEMORY_LIMIT_BYTES);
    }

    /** @param memoryLimitBytes what its producers may hold before they say no */
    static PulsarClient client(PulsarOptions options, long memoryLimitBytes) {
        ClientBuilder builder = PulsarClient.builder()
                .loadConf(options.clientSettings())
                .serviceUrl(options.serviceUrl())
                .memoryLimit(memoryLimitBytes, SizeUnit.BYTES);
        try {
            return builder.build();
        } catch (PulsarClientException e) {
            throw new EnvironmentException("cannot reach Pulsar at " + options.address() + ": " + e.getMessage(), e);
        }
    }

    /**
     * Takes its leave of the broker and waits for nothing: the client's threads end by themselves, some 2 s after, and at once
     * where the broker is silent.
     */
    public static void close(PulsarClient client) {
        client.closeAsync()
                .orTimeout(CLOSE_BOUND.toMillis(), TimeUnit.MILLISECONDS)
                .exceptionally(failure -> {
                    shutdown(client);
                    return null;
                });
    }

    /** As {@link #close}, when the broker has heard that these are gone; one that is silent is not waited for. */
    static void close(PulsarClient client, Stream<CompletableFuture<Void>> closing) {
        if (close(closing)) {
            close(client);
        } else {
            shutdown(client);
        }
    }

    /** Whether the broker has heard, within a few seconds, that these are gone. */
    static boolean close(Stream<CompletableFuture<Void>> closing) {
        try {
            CompletableFuture.allOf(closing.toArray(CompletableFuture[]::new))
                    .get(CLOSE_BOUND.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (ExecutionException | TimeoutException e) {
            return false;
        }
    }

    private static void shutdown(PulsarClient client) {
        try {
            client.shutdown();
        } catch (PulsarClientException e) {
            LOG.warn("a Pulsar client did not shut down cleanly: {}", e.getMessage());
        }
    }
}
