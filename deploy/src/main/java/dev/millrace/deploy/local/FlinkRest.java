package dev.millrace.deploy.local;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.StreamSupport;

/** Reads the one job of a JobManager from its REST interface. Thread-safe. */
public final class FlinkRest {
    private static final String STATE_DISK = ".stateDiskSyncsPerSecond";

    private static final String CAUSED_BY = "Caused by: ";

    private final HttpClient client;
    private final String url;
    /** Empty for the newest. */
    private final Optional<String> jobId;

    /**
     * @param url {@code http://127.0.0.1:PORT}
     * @param jobId the stack's job: on a port that was lost to another stack, that one's job is none
     */
    public FlinkRest(String url, String jobId) {
        this(Http.PLAIN, url, Optional.of(jobId));
    }

    private FlinkRest(HttpClient client, String url, Optional<String> jobId) {
        this.client = client;
        this.url = url;
        this.jobId = jobId;
    }

    /** The job of the stack that is kept in this directory. */
    public static FlinkRest of(RunDirectory directory, String url) {
        return new FlinkRest(Http.client(directory), url, Optional.of(directory.jobId()));
    }

    /** The job of the stack that is kept in this directory; of a JobManager that is another's, its newest job: that one names it. */
    public static FlinkRest of(RunDirectory directory, StackState state) {
        StackState.Part jobManager = state.part(StackState.JOB_MANAGER);
        return jobManager.state().equals(StackState.FOREIGN)
                ? new FlinkRest(Http.client(directory), jobManager.url(), Optional.empty())
                : of(directory, jobManager.url());
    }

    /**
     * What Flink says of the job.
     *
     * @param state Flink's word in lower case: running, restarting, failing, finished ...
     * @param tasks how many there are; those that are through with a bounded topic are not counted any more
     * @param tasksRunning how many of them run
     * @param pendingRecords readings that the source has not read yet; empty while the broker has not told it of every partition
     * @param splits partitions that the readers have been given; empty while no metric is there
     * @param stateDiskSyncsPerSecond of the slowest TaskManager's disk below RocksDB; empty while there is none
     * @param backPressure share of the last second that the most pressed task waited for its output, 0 to 1; empty while no
     *     metric is there
     * @param checkpointMillis how long the newest completed checkpoint took
     * @param checkpointBytes its size
     * @param checkpointTriggeredMillis when it began, epoch milliseconds
     * @param noCheckpointSinceMillis when the job began, before all its restarts, epoch milliseconds; empty where it has completed a
     *     checkpoint since, or Flink does not say whether it has
     */
    public record Job(
            String state,
            int parallelism,
            int tasks,
            int tasksRunning,
            OptionalLong pendingRecords,
            OptionalLong splits,
            OptionalDouble stateDiskSyncsPerSecond,
            OptionalDouble backPressure,
            OptionalLong checkpointMillis,
            OptionalLong checkpointBytes,
            OptionalLong checkpointTriggeredMillis,
            OptionalLong noCheckpointSinceMillis) {

        public boolean runs() {
            return state.equals("running") && tasks > 0 && tasksRunning == tasks;
        }
    }

    /**
     * The job, or nothing when its JobManager does not answer or does not have it. Its metrics are as old as the question before
     * this one: see {@link #fetchMetrics}.
     */
    public Optional<Job> job() {
        return overview().map(job -> details(id(job), job));
    }

    /**
     * Makes the JobManager fetch its metrics from the TaskManagers, for a {@link #job} that is asked for a moment later. It fetches
     * when it is asked and at no other time, answers at once with what it had before, and not more often than its {@code
     * metrics.fetcher.update-interval}.
     */
    public void fetchMetrics() {
        overview().ifPresent(job -> Http.json(client, address(id(job))));
    }

    private String address(String id) {
        return url + "/jobs/" + id;
    }

    private Optional<JsonNode> overview() {
        return Http.json(client, url + "/jobs/overview").flatMap(overview -> stream(overview.path("jobs"))
                .filter(job -> jobId.isEmpty() || id(job).equals(jobId.get()))
                .max(Comparator.comparingLong(job -> job.path("start-time").asLong())));
    }

    private static String id(JsonNode job) {
        return job.path("jid").asText();
    }

    /** Why the job had to start again, newest first, a line each; Flink keeps the last 16. Empty when nobody answers. */
    public List<String> failures() {
        return overview().flatMap(job -> Http.json(client, url + "/jobs/" + id(job) + "/exceptions")).stream()
                .flatMap(answer -> stream(answer.path("exceptionHistory").path("entries")))
                .map(entry -> rootCause(entry.path("stacktrace").asText()))
                .toList();
    }

    /** The last cause's line of a stack trace: those before it say where in Flink it came to light. */
    static String rootCause(String stackTrace) {
        List<String> causes = stackTrace
                .lines()
                .filter(line -> line.startsWith(CAUSED_BY))
                .map(line -> line.substring(CAUSED_BY.length()))
                .toList();
        return causes.isEmpty() ? stackTrace.lines().findFirst().orElse("") : causes.get(causes.size() - 1);
    }

    private Job details(String id, JsonNode overview) {
        JsonNode tasks = overview.path("tasks");
        int parallelism = 0;
        OptionalDouble backPressure = OptionalDouble.empty();
        List<Double> pending = new ArrayList<>();
        List<Double> splits = new ArrayList<>();
        List<Double> counted = new ArrayList<>();
        OptionalDouble slowestDisk = OptionalDouble.empty();
        JsonNode details = Http.json(client, address(id)).orElse(MissingNode.getInstance());
        for (JsonNode vertex : details.path("vertices")) {
            parallelism = Math.max(parallelism, vertex.path("parallelism").asInt());
            String subtasks = address(id) + "/vertices/" + vertex.path("id").asText() + "/subtasks/metrics";
            for (JsonNode metric : metrics(subtasks)) {
                String name = metric.path("id").asText();
                if (name.equals("backPressuredTimeMsPerSecond")) {
                    double share = Math.min(1, metric.path("max").asDouble() / 1000);
                    backPressure = OptionalDouble.of(Math.max(backPressure.orElse(0), share));
                } else if (name.endsWith(".pendingRecords")) {
                    pending.add(metric.path("sum").asDouble());
                } else if (name.endsWith(".splitsAssigned")) {
                    splits.add(metric.path("sum").asDouble());
                } else if (name.endsWith(".splitsCounted")) {
                    counted.add(metric.path("sum").asDouble());
                } else if (name.endsWith(STATE_DISK)) {
                    JsonNode slowest = metric.path("min");
                    slowestDisk = slowest.isNumber() ? OptionalDouble.of(slowest.asDouble()) : OptionalDouble.empty();
                }
            }
        }
        JsonNode checkpoints = Http.json(client, address(id) + "/checkpoints")
                .orElse(MissingNode.getInstance())
                .path("latest");
        JsonNode newest = checkpoints.path("completed");
        boolean isWithout = checkpoints.isObject() && !newest.isObject();
        return new Job(
                overview.path("state").asText().toLowerCase(java.util.Locale.ROOT),
                parallelism,
                tasks.path("total").asInt() - tasks.path("finished").asInt(),
                tasks.path("running").asInt(),
                isCounted(sum(counted), sum(splits)) ? sum(pending) : OptionalLong.empty(),
                sum(splits),
                slowestDisk,
                backPressure,
                number(newest.path("end_to_end_duration")),
                number(newest.path("state_size")),
                number(newest.path("trigger_timestamp")),
                isWithout ? number(overview.path("start-time")) : OptionalLong.empty());
    }

    /** A reader that was just started knows of no partition, or of some, and the others' records are not in the sum. */
    private static boolean isCounted(OptionalLong counted, OptionalLong splits) {
        return counted.orElse(0) > 0 && counted.orElse(0) >= splits.orElse(0);
    }

    /** The metrics that matter, aggregated over the subtasks; their names carry the operator's, so they are listed first. */
    private List<JsonNode> metrics(String subtasks) {
        String wanted = stream(Http.json(client, subtasks).orElse(MissingNode.getInstance()))
                .map(metric -> metric.path("id").asText())
                .filter(FlinkRest::matters)
                .map(name -> URLEncoder.encode(name, StandardCharsets.UTF_8))
                .reduce((a, b) -> a + "," + b)
                .orElse("");
        return wanted.isEmpty()
                ? List.of()
                : stream(Http.json(client, subtasks + "?get=" + wanted + "&agg=sum,min,max")
                                .orElse(MissingNode.getInstance()))
                        .toList();
    }

    private static boolean matters(String name) {
        return name.equals("backPressuredTimeMsPerSecond")
                || name.endsWith(".pendingRecords")
                || name.endsWith(".splitsAssigned")
                || name.endsWith(".splitsCounted")
                || name.endsWith(STATE_DISK);
    }

    private static OptionalLong sum(List<Double> values) {
        return values.isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(
                        (long) values.stream().mapToDouble(Double::doubleValue).sum());
    }

    private static OptionalLong number(JsonNode node) {
        return node.isNumber() ? OptionalLong.of(node.asLong()) : OptionalLong.empty();
    }

    private static java.util.stream.Stream<JsonNode> stream(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false);
    }
}
