package dev.millrace.connectors.generator;

import dev.millrace.core.settings.EnvironmentException;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import org.HdrHistogram.Recorder;

/**
 * Every send's latency, as a HdrHistogram of each second in an interval log: microseconds, three digits, nothing cut off
 * below a day. The file only grows; a generator that starts again goes on in it. A killed one loses its last second.
 */
final class LatencyLog implements AutoCloseable {
    private static final long HIGHEST_MICROS = Duration.ofDays(1).toNanos() / 1000;
    private static final int DIGITS = 3;
    /** The log's column of the greatest is in milliseconds, as tools expect. */
    private static final double MICROS_OF_A_MILLI = 1000;

    private final Recorder recorder = new Recorder(HIGHEST_MICROS, DIGITS);
    private final PrintStream out;
    private final HistogramLogWriter writer;
    private final ScheduledExecutorService thread;
    private Histogram interval;

    /** Throws EnvironmentException when the file cannot be written. */
    LatencyLog(Path file) {
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            out = new PrintStream(new FileOutputStream(file.toFile(), true), false);
        } catch (IOException e) {
            throw new EnvironmentException("cannot write the latency log " + file + ": " + e.getMessage(), e);
        }
        writer = new HistogramLogWriter(out);
        writer.outputComment("intended send time to the broker's acknowledgement, microseconds");
        writer.outputLogFormatVersion();
        writer.outputStartTime(System.currentTimeMillis());
        writer.outputLegend();
        thread = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread log = new Thread(task, "generator-latency-log");
            log.setDaemon(true);
            return log;
        });
        thread.scheduleAtFixedRate(this::write, 1, 1, TimeUnit.SECONDS);
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
        out.flush();
    }

    /** Writes what has come since the last second. */
    @Override
    public void close() {
        thread.shutdownNow();
        write();
        out.close();
    }
}
