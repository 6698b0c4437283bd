package dev.millrace.perf.baseline;

import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.perf.result.BaselineFigure;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.SplittableRandom;

/** What the disk below a folder does: small writes that are forced one by one, and many in one piece. */
final class DiskBaseline {
    private static final int FORCED_BYTES = 4096;
    private static final int FORCED_MOST = 400;
    private static final int FORCED_SECONDS = 3;
    private static final int BLOCK_BYTES = 1 << 20;
    /** Beyond what a disk's own cache takes at once, and written in a second by most. */
    private static final int BLOCKS_MOST = 128;

    private static final long BLOCKS_NANOS = 3_000_000_000L;

    private DiskBaseline() {}

    static Map<BaselineFigure, Double> of(Path folder) {
        try {
            Path file = Files.createTempFile(folder, "baseline-", ".tmp");
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                Timings forced = forced(channel);
                return Map.of(
                        BaselineFigure.FSYNC_P50,
                        forced.micros(0.5),
                        BaselineFigure.FSYNC_P99,
                        forced.micros(0.99),
                        BaselineFigure.SEQUENTIAL_WRITE,
                        mebibytesPerSecond(channel));
            } finally {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new EnvironmentException("cannot measure the disk of " + folder + ": " + e.getMessage(), e);
        }
    }

    private static Timings forced(FileChannel channel) throws IOException {
        ByteBuffer bytes = random(FORCED_BYTES);
        Timings timings = new Timings(FORCED_MOST, FORCED_SECONDS);
        while (timings.wantsMore()) {
            long begin = System.nanoTime();
            write(channel, bytes);
            channel.force(false);
            timings.add(System.nanoTime() - begin);
        }
        return timings;
    }

    private static double mebibytesPerSecond(FileChannel channel) throws IOException {
        ByteBuffer bytes = random(BLOCK_BYTES);
        long begin = System.nanoTime();
        int blocks = 0;
        while (blocks < BLOCKS_MOST && System.nanoTime() - begin < BLOCKS_NANOS) {
            write(channel, bytes);
            blocks++;
        }
        channel.force(false);
        return blocks / ((System.nanoTime() - begin) / 1e9);
    }

    private static void write(FileChannel channel, ByteBuffer bytes) throws IOException {
        bytes.clear();
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    /** A file system that compresses must have nothing to gain. */
    private static ByteBuffer random(int size) {
        byte[] bytes = new byte[size];
        new SplittableRandom(size).nextBytes(bytes);
        return ByteBuffer.allocateDirect(size).put(bytes);
    }
}
