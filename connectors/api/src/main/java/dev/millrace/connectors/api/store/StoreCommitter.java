package dev.millrace.connectors.api.store;

import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.Options;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.connector.sink2.Committer;
import org.jspecify.annotations.Nullable;

/**
 * Inserts the blocks of a completed checkpoint, in order. It waits for the store inside {@link #commit}, because Flink's own
 * {@code retryLater()} tries ten times without a pause and then fails the job.
 */
final class StoreCommitter implements Committer<PendingBlock> {
    /** As long as {@link StoreClient} waits for an insert. */
    private static final Duration CONNECT_BOUND = Duration.ofMinutes(2);

    /** Longer than a block ever waits while the job runs; what it restores is inserted first, however old it is. */
    private static final Duration FILES_KEPT = Duration.ofDays(1);

    private static final long SWEEP_EVERY_NANOS = TimeUnit.HOURS.toNanos(1);
    /** Soon after a start: of a job that never runs for an hour at a stretch nothing else would ever be removed. */
    private static final long FIRST_SWEEP_NANOS = TimeUnit.MINUTES.toNanos(5);

    private final String store;
    private final Options options;
    private final Optional<BlockFiles> files;
    private long nextSweepNanos = System.nanoTime() + FIRST_SWEEP_NANOS;
    private @Nullable Thread sweeping;
    private volatile boolean closed;
    private @Nullable StoreClient client;

    /** @param files what this committer keeps clear of old files; nothing: another one does */
    StoreCommitter(String store, Options options, Optional<BlockFiles> files) {
        this.store = store;
        this.options = options;
        this.files = files;
    }

    @Override
    public void commit(Collection<CommitRequest<PendingBlock>> requests) throws InterruptedException {
        // First: what a restore brings is inserted at a start, when none is due. Later commits come when all have
        // inserted theirs.
        sweep();
        for (CommitRequest<PendingBlock> request : requests) {
            insert(request.getCommittable());
            if (Thread.interrupted()) {
                throw new InterruptedException("interrupted while inserting blocks; they stay in the checkpoint");
            }
        }
    }

    /** Who dies between the insert and the note of it inserts again, with the same token. */
    private void insert(PendingBlock pending) throws InterruptedException {
        if (!pending.isInFile()) {
            connected().insert(pending.block());
            return;
        }
        Optional<byte[]> bytes = BlockFiles.read(pending.file());
        if (bytes.isPresent()) {
            connected().insert(pending.block().withBytes(bytes.get()));
        }
        BlockFiles.done(pending.file());
    }

    /**
     * Not before the job has run for a while, and then again and again: every block that was in a file leaves an empty one. Of an
     * object store it takes minutes to list and delete an hour's files, so the task's thread does not wait for it.
     */
    private void sweep() {
        boolean isSweeping = sweeping != null && sweeping.isAlive();
        if (files.isPresent() && !isSweeping && System.nanoTime() - nextSweepNanos > 0) {
            nextSweepNanos = System.nanoTime() + SWEEP_EVERY_NANOS;
            sweeping = new Thread(() -> files.get().sweep(FILES_KEPT, () -> closed), "store-files");
            sweeping.setDaemon(true);
            sweeping.start();
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
        closed = true;
        if (client != null) {
            client.close();
            client = null;
        }
    }
}
