package dev.millrace.deploy.kubernetes.cluster;

import io.fabric8.kubernetes.client.OAuthTokenProvider;
import java.time.Duration;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A token that is asked for again when it is of some age. Thread-safe. */
final class RenewedToken implements OAuthTokenProvider {
    private static final Logger LOG = LoggerFactory.getLogger(RenewedToken.class);

    private final Supplier<String> source;
    private final long ageNanos;
    private String token;
    private long askedNanos = System.nanoTime();

    /** @param token the first one, just made */
    RenewedToken(String token, Supplier<String> source, Duration age) {
        this.token = token;
        this.source = source;
        this.ageNanos = age.toNanos();
    }

    @Override
    public synchronized String getToken() {
        if (System.nanoTime() - askedNanos >= ageNanos) {
            askedNanos = System.nanoTime();
            try {
                String next = source.get();
                token = next == null ? token : next;
            } catch (RuntimeException e) {
                // The one that is there may still hold; if not, the server says so.
                LOG.warn("no new token: {}", e.getMessage());
            }
        }
        return token;
    }
}
