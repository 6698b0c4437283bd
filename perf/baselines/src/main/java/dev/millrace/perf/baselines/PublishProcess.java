package dev.millrace.perf.baselines;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.connectors.generator.Main;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/**
 * The generator's own process with a meter around its publisher, or that publisher with a {@link PreparedLoad}, which ends by
 * itself when every reading has its receipt: {@code SETTINGS RESULT READINGS EVERY STEP_NANOS WARM_UP_MILLIS BOUND_SECONDS
 * generator|publisher}. SETTINGS are the generator's, for {@link MeasuredBroker}. It ends at once when its standard input does; exit code 1: not all came within the bound, others are the
 * generator's.
 */
public final class PublishProcess {
    private static final double MICROS_OF_A_MILLI = 1000;

    private PublishProcess() {}

    public static void main(String[] arguments) throws Exception {
        Thread input = new Thread(PublishProcess::endWithInput, "input");
        input.setDaemon(true);
        input.start();
        PublishMeter meter = PublishMeter.OF_PROCESS;
        meter.expect(
                Long.parseLong(arguments[2]),
                Long.parseLong(arguments[3]),
                Duration.ofNanos(Long.parseLong(arguments[4])),
                Duration.ofMillis(Long.parseLong(arguments[5])));
        // Both end the process by themselves only when they fail.
        Runnable load = arguments[7].equals("publisher")
                ? () -> PreparedLoad.run(Path.of(arguments[0]))
                : () -> Main.main(new String[] {"--settings", arguments[0]});
        new Thread(load, "generator").start();
        if (!meter.await(Duration.ofSeconds(Long.parseLong(arguments[6])))) {
            System.err.println("not every reading had its receipt within " + arguments[6] + " s");
            Runtime.getRuntime().halt(1);
        }
        write(Path.of(arguments[1]), meter);
        System.exit(0);
    }

    private static void write(Path result, PublishMeter meter) throws IOException {
        Histogram latency = meter.latencyMicros();
        Map<String, Object> values = new TreeMap<>();
        values.put("sent", meter.receipts());
        values.put("readingsPerSecond", meter.readingsPerSecond());
        values.put("countedFromMillis", meter.countedFromMillis());
        values.put("counted", latency.getTotalCount());
        values.put("p50Millis", latency.getValueAtPercentile(50) / MICROS_OF_A_MILLI);
        values.put("p99Millis", latency.getValueAtPercentile(99) / MICROS_OF_A_MILLI);
        Path draft = result.resolveSibling(result.getFileName() + ".new");
        Files.write(draft, new ObjectMapper().writeValueAsBytes(values));
        Files.move(draft, result, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Whoever started it is gone. */
    private static void endWithInput() {
        try {
            while (System.in.read() >= 0) {
                // Nothing is ever said.
            }
        } catch (IOException e) {
            e.printStackTrace();
        }
        Runtime.getRuntime().halt(1);
    }
}
