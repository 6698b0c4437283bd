package dev.millrace.perf.probe;

import dev.millrace.deploy.local.Http;
import dev.millrace.deploy.local.RunDirectory;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads counters from the Prometheus endpoints of a stack's own processes: Flink's REST interface shows values that are seconds old.
 * Thread-safe.
 */
public final class MetricsPage {
    private static final Duration BOUND = Duration.ofSeconds(2);

    private final HttpClient http;

    /** @param directory of the stack; its keys are shown where it has some */
    public MetricsPage(RunDirectory directory) {
        http = Http.client(directory);
    }

    /**
     * The sum, over all label sets, of the metrics whose name ends with {@code suffix}; empty when the endpoint does not answer
     * or has none.
     *
     * @param url empty for a process that has no endpoint
     */
    public OptionalDouble sum(String url, String suffix) {
        return sum(values(url, List.of(suffix)), suffix);
    }

    /** The same of a page that was read already. */
    public static OptionalDouble sum(List<Value> page, String suffix) {
        List<Value> values =
                page.stream().filter(value -> value.name().endsWith(suffix)).toList();
        return values.isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(values.stream().mapToDouble(Value::value).sum());
    }

    /**
     * One line of the page.
     *
     * @param labels as they stand there, braces included; empty when there are none
     */
    public record Value(String name, String labels, double value) {
        /** What a label says; empty when there is none of that name. */
        public String label(String key) {
            Matcher matcher = Pattern.compile("[{,]" + key + "=\"((?:[^\"\\\\]|\\\\.)*)\"")
                    .matcher(labels);
            return matcher.find() ? matcher.group(1) : "";
        }
    }

    /** All metrics whose name ends with one of these; none when the endpoint does not answer. One look, so they are of one moment. */
    public List<Value> values(String url, List<String> suffixes) {
        if (url.isEmpty()) {
            return List.of();
        }
        try {
            HttpResponse<String> answer = http.send(
                    HttpRequest.newBuilder(URI.create(url)).timeout(BOUND).build(),
                    HttpResponse.BodyHandlers.ofString());
            return answer.body()
                    .lines()
                    .filter(line -> !line.startsWith("#") && suffixes.stream().anyMatch(name(line)::endsWith))
                    .map(MetricsPage::parse)
                    .toList();
        } catch (IOException e) {
            // The process is still starting or has just ended.
            return List.of();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return List.of();
        }
    }

    static Value parse(String line) {
        String name = name(line);
        int space = line.lastIndexOf(' ');
        return new Value(
                name, line.substring(name.length(), space).strip(), Double.parseDouble(line.substring(space + 1)));
    }

    private static String name(String line) {
        int end = line.indexOf('{');
        return line.substring(0, end >= 0 ? end : Math.max(0, line.indexOf(' ')));
    }
}
