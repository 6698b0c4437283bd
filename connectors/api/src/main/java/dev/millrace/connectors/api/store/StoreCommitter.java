package dev.millrace.connectors.api.store;

import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.Options;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.connector.sink2.Committer;
import org.jspecify.annotations.Nullable;

/**
 * Inserts the blocks of a completed checkpoint, in order. It waits for the store inside {@link #commit}, because Flink's own
 * {@code retryLater()} tries ten times without a pause and then fails the job.
 */
final class StoreCommitter implements Committer<StoreBlock> {
    /** As long as {@link StoreClient} waits for an insert. */
    private static final Duration CONNECT_BOUND = Duration.ofMinutes(2);

    private final String store;
    private final Options options;
    private @Nullable StoreClient client;

    StoreCommitter(String store, Options options) {
        this.store = store;
        this.options = options;
    }

    @Override
    public void commit(Collection<CommitRequest<StoreBlock>> requests) throws InterruptedException {
        for (CommitRequest<StoreBlock> request : requests) {
            connected().insert(request.getCommittable());
            if (Thread.interrupted()) {
                throw new InterruptedException("interrupted while inserting blocks; they stay in the checkpoint");
            }
        }
    }

    private StoreClient connected() throws InterruptedException {
        StoreClient connected = client;
        if (connected == null) {
            connected = connect();
            client = connected;
        }
        return connected;
    }

    private StoreClient connect() throws InterruptedException {
        ResultStore found = ResultStores.named(store);
        long deadline = System.nanoTime() + CONNECT_BOUND.toNanos();
        while (true) {
            try {
                return prepared(found.connect(options));
            } catch (EnvironmentException e) {
                if (System.nanoTime() > deadline) {
                    throw e;
                }
                TimeUnit.MILLISECONDS.sleep(200);
            }
        }
    }

    private static StoreClient prepared(StoreClient connected) {
        try {
            connected.prepare();
            return connected;
        } catch (RuntimeException e) {
            connected.close();
            throw e;
        }
    }

    @Override
    public void close() {
        if (client != null) {
            client.close();
            client = null;
        }
    }
}
