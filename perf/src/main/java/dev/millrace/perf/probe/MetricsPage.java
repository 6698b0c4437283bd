package dev.millrace.perf.probe;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;

/** Reads counters from a process's own Prometheus endpoint: Flink's REST interface shows values that are seconds old. Thread-safe. */
public final class MetricsPage {
    private static final Duration BOUND = Duration.ofSeconds(2);

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(BOUND).build();

    /**
     * The sum, over all label sets, of the metrics whose name ends with {@code suffix}; empty when the endpoint does not answer
     * or has none.
     *
     * @param url empty for a process that has no endpoint
     */
    public OptionalDouble sum(String url, String suffix) {
        if (url.isEmpty()) {
            return OptionalDouble.empty();
        }
        try {
            HttpResponse<String> answer = http.send(
                    HttpRequest.newBuilder(URI.create(url)).timeout(BOUND).build(),
                    HttpResponse.BodyHandlers.ofString());
            List<Double> values = answer.body()
                    .lines()
                    .filter(line -> !line.startsWith("#") && name(line).endsWith(suffix))
                    .map(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                    .toList();
            return values.isEmpty()
                    ? OptionalDouble.empty()
                    : OptionalDouble.of(
                            values.stream().mapToDouble(Double::doubleValue).sum());
        } catch (IOException e) {
            // The process is still starting or has just ended.
            return OptionalDouble.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return OptionalDouble.empty();
        }
    }

    private static String name(String line) {
        int end = line.indexOf('{');
        return line.substring(0, end >= 0 ? end : Math.max(0, line.indexOf(' ')));
    }
}
