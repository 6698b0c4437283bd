package dev.millrace.connectors.generator;

import dev.millrace.core.settings.EnvironmentException;
import java.io.ByteArrayOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import org.HdrHistogram.Recorder;
import org.jspecify.annotations.Nullable;

/**
 * Every send's latency, as a HdrHistogram of each second in an interval log: microseconds, three digits, nothing cut off
 * below a day. The file only grows; a generator that starts again goes on in it, on a line of its own. A killed one loses its
 * last second, of which half a line may be there.
 */
final class LatencyLog implements AutoCloseable {
    private static final long HIGHEST_MICROS = Duration.ofDays(1).toNanos() / 1000;
    private static final int DIGITS = 3;
    /** The log's column of the greatest is in milliseconds, as tools expect. */
    private static final double MICROS_OF_A_MILLI = 1000;

    private final Recorder recorder = new Recorder(HIGHEST_MICROS, DIGITS);
    private final Path file;
    private final FileOutputStream out;
    /** What is written next: a line goes out whole, and not in the pieces that the writer makes it of. */
    private final ByteArrayOutputStream pending = new ByteArrayOutputStream();

    private final HistogramLogWriter writer = new HistogramLogWriter(new PrintStream(pending, true));
    private final ScheduledExecutorService thread;
    private Histogram interval;
    private @Nullable EnvironmentException failure;

    /** Writes the heading. Throws EnvironmentException when the file cannot be written. */
    LatencyLog(Path file) {
        this.file = file;
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            if (!endsWithALine(file)) {
                // Of one that was killed, or whose disk was full: nothing of this one's may be on that line.
                pending.write('\n');
            }
            out = new FileOutputStream(file.toFile(), true);
        } catch (IOException e) {
            throw cannotWrite(e);
        }
        writer.outputComment("intended send time to the broker's acknowledgement, microseconds");
        writer.outputLogFormatVersion();
        writer.outputStartTime(System.currentTimeMillis());
        writer.outputLegend();
        try {
            writePending();
        } catch (EnvironmentException e) {
            closeFile();
            throw e;
        }
        thread = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread log = new Thread(task, "generator-latency-log");
            log.setDaemon(true);
            return log;
        });
    }

    /** Begins to write, every second; what goes wrong is told once to {@code failed}, and then nothing more is written. */
    void start(Consumer<RuntimeException> failed) {
        thread.scheduleAtFixedRate(FirstFailure.told(this::write, failed), 1, 1, TimeUnit.SECONDS);
    }

    /** Wait-free, from any thread. A receipt that came before its time (a clock was set back) counts as 0 here. */
    void record(long micros) {
        recorder.recordValue(Math.max(0, Math.min(HIGHEST_MICROS, micros)));
    }

    private synchronized void write() {
        interval = recorder.getIntervalHistogram(interval);
        writer.outputIntervalHistogram(
                interval.getStartTimeStamp() / 1000.0,
                interval.getEndTimeStamp() / 1000.0,
                interval,
                MICROS_OF_A_MILLI);
        writePending();
    }

    private synchronized void writePending() {
        try {
            out.write(pending.toByteArray());
        } catch (IOException e) {
            failure = cannotWrite(e);
            throw failure;
        }
        pending.reset();
    }

    private static boolean endsWithALine(Path file) throws IOException {
        if (!Files.isRegularFile(file) || Files.size(file) == 0) {
            return true;
        }
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "r")) {
            bytes.seek(bytes.length() - 1);
            return bytes.read() == '\n';
        }
    }

    private EnvironmentException cannotWrite(IOException e) {
        return new EnvironmentException("cannot write the latency log " + file + ": " + e.getMessage(), e);
    }

    /**
     * Writes what has come since the last second. Throws EnvironmentException when that, or anything before it, could not be
     * written.
     */
    @Override
    public synchronized void close() {
        thread.shutdownNow();
        try {
            if (failure != null) {
                // Another one, since the generator may just be failing with that.
                throw new EnvironmentException(failure.getMessage(), failure);
            }
            write();
        } finally {
            closeFile();
        }
    }

    private void closeFile() {
        try {
            out.close();
        } catch (IOException e) {
            if (failure == null) {
                failure = cannotWrite(e);
                throw failure;
            }
        }
    }
}
