package dev.millrace.connectors.api.baseline;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** What every raw reader does in the same way: partitions spread over threads, and all of them waited for. */
public final class PartitionThreads {
    private PartitionThreads() {}

    /** Reads some partitions to their ends. */
    public interface Reading {
        /** Ends early, with any exception, when its thread is interrupted. */
        void run() throws Exception;
    }

    /** Partition {@code p} belongs to share {@code p % threads}; shares without a partition are left out. */
    public static <P> List<List<P>> shares(List<P> partitions, int threads) {
        List<List<P>> shares = new ArrayList<>();
        for (int share = 0; share < Math.min(threads, partitions.size()); share++) {
            List<P> own = new ArrayList<>();
            for (int partition = share; partition < partitions.size(); partition += threads) {
                own.add(partitions.get(partition));
            }
            shares.add(own);
        }
        return shares;
    }

    /** Runs each on a thread of its own and returns when all have ended; the first that fails ends the others and is thrown. */
    public static void runAll(List<? extends Reading> readings) throws Exception {
        if (readings.isEmpty()) {
            return;
        }
        AtomicInteger number = new AtomicInteger();
        ExecutorService threads = Executors.newFixedThreadPool(readings.size(), task -> {
            Thread thread = new Thread(task, "raw-reader-" + number.getAndIncrement());
            thread.setDaemon(true);
            return thread;
        });
        try {
            CompletionService<Void> running = new ExecutorCompletionService<>(threads);
            for (Reading reading : readings) {
                running.submit(() -> {
                    reading.run();
                    return null;
                });
            }
            for (int ended = 0; ended < readings.size(); ended++) {
                running.take().get();
            }
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        } finally {
            threads.shutdownNow();
        }
    }
}
