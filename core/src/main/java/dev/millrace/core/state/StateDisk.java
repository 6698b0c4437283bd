package dev.millrace.core.state;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The disk of a directory in which RocksDB works: how much room it has, and how many small synced writes it does in a second. Looked
 * at when a task begins and then every 20 s for as long as the process lives, because disks in clouds are fast until their burst
 * is used up. A look takes at most half a second, and of a disk of 240 operations a second 3 %. Thread-safe.
 */
public final class StateDisk {
    /** Below this RocksDB waits for its disk: compactions fall behind, and writes are held up. */
    public static final double SLOW_SYNCS_PER_SECOND = 500;

    private static final long LITTLE_ROOM_BYTES = 1L << 30;
    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(20);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final int SYNCS_MAX = 512;
    private static final int SYNCS_OF_ANY_USE = 4;
    private static final int BLOCK_BYTES = 4096;
    private static final Logger LOG = LoggerFactory.getLogger(StateDisk.class);
    private static final Map<Path, StateDisk> WATCHED = new ConcurrentHashMap<>();

    private final Path directory;
    private volatile Look last;

    /**
     * What was seen.
     *
     * @param syncsPerSecond writes of 4 KiB, each synced, one after the other; NaN when it could not be tried
     */
    public record Look(double syncsPerSecond, long freeBytes) {
        public boolean isSlow() {
            return syncsPerSecond < SLOW_SYNCS_PER_SECOND;
        }

        boolean hasLittleRoom() {
            return freeBytes < LITTLE_ROOM_BYTES;
        }
    }

    private StateDisk(Path directory) {
        this.directory = directory;
        this.last = look(directory);
        LOG.info("{}", sentence(directory, last));
        warn(new Look(Double.POSITIVE_INFINITY, Long.MAX_VALUE), last);
        Thread thread = new Thread(this::watch, "state-disk");
        thread.setDaemon(true);
        thread.start();
    }

    /** The one that watches the directory, which is made where it is missing; the first call takes the first look. */
    public static StateDisk watching(Path directory) {
        return WATCHED.computeIfAbsent(directory.toAbsolutePath().normalize(), StateDisk::new);
    }

    public Look last() {
        return last;
    }

    private void watch() {
        try {
            while (true) {
                TimeUnit.MILLISECONDS.sleep(BETWEEN_LOOKS.toMillis());
                Look now = look(directory);
                warn(last, now);
                last = now;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Once when it becomes so, not at every look. */
    private void warn(Look before, Look now) {
        if (now.isSlow() && !before.isSlow()) {
            LOG.warn(
                    "{}; RocksDB waits for it: a local NVMe disk, a volume with more operations a second, or state on the heap"
                            + " would help",
                    sentence(directory, now));
        }
        if (now.hasLittleRoom() && !before.hasLittleRoom()) {
            LOG.warn("{}; state that does not fit fails the job", sentence(directory, now));
        }
    }

    /** What a person should know of it. */
    static String sentence(Path directory, Look look) {
        return String.format(
                Locale.ROOT,
                "the disk of %s does %.0f synced writes of 4 KiB a second and has %.1f GiB free",
                directory,
                look.syncsPerSecond(),
                look.freeBytes() / (double) (1L << 30));
    }

    /** Tries it now. A disk that cannot be written gives NaN; the job will say why. */
    static Look look(Path directory) {
        Path file = directory.resolve(".disk-" + ProcessHandle.current().pid());
        try {
            Files.createDirectories(directory);
            FileStore disk = Files.getFileStore(directory);
            try {
                return new Look(syncsPerSecond(file), disk.getUsableSpace());
            } finally {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            LOG.warn("the disk of {} could not be tried: {}", directory, e.toString());
            return new Look(Double.NaN, 0);
        }
    }

    private static double syncsPerSecond(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            ByteBuffer block = ByteBuffer.allocateDirect(BLOCK_BYTES);
            long begun = System.nanoTime();
            int syncs = 0;
            // By time, not by a typical write: a throttled disk does some at once and then none for a while.
            while (syncs < SYNCS_OF_ANY_USE || (syncs < SYNCS_MAX && System.nanoTime() - begun < LOOK_NANOS)) {
                block.clear();
                channel.write(block, (long) syncs % 16 * BLOCK_BYTES);
                channel.force(false);
                syncs++;
            }
            return syncs * 1e9 / (System.nanoTime() - begun);
        }
    }
}
