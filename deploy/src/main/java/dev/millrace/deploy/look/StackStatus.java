package dev.millrace.deploy.look;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.connectors.api.broker.EffectiveSettings;
import dev.millrace.deploy.local.StackState;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One look at a stack. What could not be learnt is null (a process that is down, a metric that is not there yet).
 *
 * @param state one of {@link #STATES}
 * @param message a sentence when there is something to say, else empty
 * @param effective what the running broker says of itself and of the topic
 * @param readingsSent acknowledged by the broker
 * @param readingsProcessed sent and no longer waiting in the broker: what the job has read, over all its restarts; null where
 *     other generators send to the topic, whose readings wait there too
 * @param lag readings in the broker that the job has not read yet
 * @param latestTimesStored devices and event types in the store; what the second job makes
 * @param paced whether the generator sends readings when they are due, not as fast as the broker takes them
 * @param send of the readings since the look before, or of one second when there was none of late; null when none was sent, and
 *     always without pace
 * @param lastWindowEnd the end of the newest window in the store, or what its newest latest time is as of
 * @param backPressure share of time that the most pressed task waited for its output, 0 to 1
 * @param checkpointMillis how long the newest completed checkpoint took
 * @param audit the newest; null when there was none
 * @param benchmark null when none measures this stack
 * @param foreignBroker whether the broker is a person's own: then it has no process here
 * @param usedCores process name to cores, over the last second
 */
public record StackStatus(
        String broker,
        @Nullable EffectiveSettings effective,
        @Nullable String jobJarSha256,
        String state,
        String message,
        @Nullable Long readingsSent,
        @Nullable Long readingsProcessed,
        @Nullable Long windowsStored,
        @Nullable Long latestTimesStored,
        @Nullable Long lag,
        @Nullable Double rateReadingsPerSecond,
        @Nullable Boolean paced,
        @Nullable SendQuantiles send,
        @Nullable Instant lastWindowEnd,
        @Nullable Integer parallelism,
        @Nullable Integer partitions,
        @Nullable Double backPressure,
        @Nullable Long checkpointMillis,
        @Nullable AuditNote audit,
        @Nullable BenchmarkNote benchmark,
        boolean foreignBroker,
        Map<String, Double> usedCores,
        Map<String, String> urls,
        Map<String, Long> pids) {

    /** How a stack may be, in one word. */
    public static final List<String> STATES =
            List.of("starting", "running", "recovering", "paused", "finished", "failed", "stopping", "stopped");

    /** One line of JSON; the keys are a contract. */
    public String json() {
        return tree().toString();
    }

    /** {@link #json} with two keys more, which the stack's page shows: {@code message} and {@code lookedAt}. */
    public String json(Instant lookedAt) {
        return tree().put("message", message)
                .put("lookedAt", lookedAt.toString())
                .toString();
    }

    private ObjectNode tree() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("broker", broker);
        json.put("brokerVersion", effective == null ? null : effective.serverVersion());
        json.put("replicas", effective == null ? null : Integer.valueOf(effective.replicas()));
        json.put("acks", effective == null ? null : effective.acks());
        json.put("fsync", effective == null ? null : effective.fsync());
        json.put("jobJarSha256", jobJarSha256);
        json.put("state", state);
        json.put("readingsSent", readingsSent);
        json.put("readingsProcessed", readingsProcessed);
        json.put("windowsStored", windowsStored);
        json.put("latestTimesStored", latestTimesStored);
        json.put("lag", lag);
        json.put("rateReadingsPerSecond", rateReadingsPerSecond);
        json.put("paced", paced);
        json.put("sendP50Millis", send == null ? null : Double.valueOf(send.p50Millis()));
        json.put("sendP99Millis", send == null ? null : Double.valueOf(send.p99Millis()));
        json.put("lastWindowEnd", lastWindowEnd == null ? null : lastWindowEnd.toString());
        json.put("parallelism", parallelism);
        json.put("partitions", partitions);
        json.put("backPressure", backPressure);
        json.put("checkpointMillis", checkpointMillis);
        json.set("audit", audit == null ? null : audit.tree());
        json.set("benchmark", benchmark == null ? null : benchmark.tree());
        usedCores.forEach(json.putObject("usedCores")::put);
        urls.forEach(json.putObject("urls")::put);
        pids.forEach(json.putObject("pids")::put);
        return json;
    }

    /** For people: what, how much, and where. */
    public String text() {
        StringBuilder text = new StringBuilder();
        line(
                text,
                "broker",
                broker
                        + (effective == null ? "" : " " + effective.serverVersion())
                        + (foreignBroker ? " at " + urls.getOrDefault("broker", "-") + ", your own" : ""));
        line(text, "state", message.isEmpty() ? state : state + ": " + message);
        line(
                text,
                "readings",
                count(readingsSent) + " sent, " + count(readingsProcessed) + " processed, lag " + count(lag));
        line(
                text,
                "rate",
                rateReadingsPerSecond == null
                        ? "-"
                        : String.format(Locale.ROOT, "%,.0f readings/s, ", rateReadingsPerSecond) + sendText());
        String newest = lastWindowEnd == null ? "" : ", the newest ends " + lastWindowEnd;
        if (latestTimesStored != null && latestTimesStored > 0) {
            line(text, "latest", count(latestTimesStored) + " times of devices and event types stored" + newest);
        } else {
            line(text, "windows", count(windowsStored) + " stored" + newest);
        }
        line(
                text,
                "job",
                "parallelism " + dash(parallelism) + ", " + dash(partitions) + " partitions, back pressure "
                        + (backPressure == null ? "-" : String.format(Locale.ROOT, "%.0f %%", backPressure * 100))
                        + ", last checkpoint " + (checkpointMillis == null ? "-" : checkpointMillis + " ms"));
        line(text, "durable", effective == null ? "-" : durability(effective));
        line(text, "job jar", jobJarSha256 == null ? "-" : "sha256 " + jobJarSha256);
        line(text, "audit", audit == null ? "never asked" : audit.text());
        if (benchmark != null) {
            line(text, "benchmark", benchmark.text());
        }
        if (pids.containsKey(StackState.SUPERVISOR) && urls.containsKey(StackState.SUPERVISOR)) {
            line(text, "page", urls.get(StackState.SUPERVISOR) + "/");
        }
        text.append('\n');
        Table table = new Table("process", "pid", "cores", "where", "metrics");
        pids.forEach((name, pid) -> table.row(
                name,
                pid,
                usedCores.containsKey(name) ? String.format(Locale.ROOT, "%.2f", usedCores.get(name)) : null,
                urls.getOrDefault(name, ""),
                urls.getOrDefault(name + "-metrics", "")));
        return text.append(table).toString();
    }

    /** As the running broker says it. */
    private static String durability(EffectiveSettings effective) {
        return effective.replicas() + (effective.replicas() == 1 ? " replica, " : " replicas, ") + effective.acks()
                + "; fsync " + effective.fsync();
    }

    private String sendText() {
        if (Boolean.FALSE.equals(paced)) {
            return "not paced";
        }
        return send == null
                ? "send latency -"
                : String.format(
                        Locale.ROOT, "send latency %.1f ms (p50), %.1f ms (p99)", send.p50Millis(), send.p99Millis());
    }

    private static void line(StringBuilder text, String name, String value) {
        text.append(String.format(Locale.ROOT, "%-9s %s%n", name, value));
    }

    private static String count(@Nullable Long number) {
        return number == null ? "-" : String.format(Locale.ROOT, "%,d", number);
    }

    private static String dash(@Nullable Integer number) {
        return number == null ? "-" : number.toString();
    }
}
