package dev.millrace.deploy.local;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FlinkRestTest {
    private static final String METRICS = "/jobs/new/vertices/v1/subtasks/metrics";
    private static final String AGGREGATED = METRICS
            + "?get=backPressuredTimeMsPerSecond,Source__river_readings.pendingRecords,"
            + "Source__river_readings.splitsAssigned,Source__river_readings.splitsCounted,"
            + "windows.stateDiskSyncsPerSecond&agg=sum,min,max";
    /** Answers as Flink 1.20 gives them, by path and query. */
    private static final Map<String, String> ANSWERS = Map.of(
            "/jobs/overview",
            """
            {"jobs":[{"jid":"old","state":"FAILED","start-time":1,"tasks":{}},
                     {"jid":"new","state":"RUNNING","start-time":2,"tasks":{"total":4,"running":4}}]}""",
            "/jobs/new",
            """
            {"vertices":[{"id":"v1","parallelism":2},{"id":"v2","parallelism":2}]}""",
            METRICS,
            """
            [{"id":"backPressuredTimeMsPerSecond"},{"id":"Source__river_readings.pendingRecords"},
             {"id":"Source__river_readings.splitsAssigned"},{"id":"Source__river_readings.splitsCounted"},{"id":"numRecordsIn"},{"id":"decode.readingsDecoded"},
             {"id":"windows.stateDiskSyncsPerSecond"}]""",
            AGGREGATED,
            """
            [{"id":"backPressuredTimeMsPerSecond","sum":600.0,"max":500.0},
             {"id":"Source__river_readings.pendingRecords","sum":41.0,"max":40.0},
             {"id":"Source__river_readings.splitsAssigned","sum":4.0,"max":2.0},
             {"id":"Source__river_readings.splitsCounted","sum":4.0,"max":2.0},
             {"id":"windows.stateDiskSyncsPerSecond","sum":900.5,"min":240.5,"max":660.0}]""",
            "/jobs/new/checkpoints",
            """
            {"latest":{"completed":{"end_to_end_duration":23,"state_size":4096,"trigger_timestamp":77}}}""");

    private final Map<String, String> answers = new HashMap<>(ANSWERS);
    private HttpServer server;

    @Test
    @DisplayName("a failure is told by its last cause, which says what happened, not where it came to light")
    void rootCause() {
        assertThat(
                        FlinkRest.rootCause(
                                """
                        java.io.IOException: Failed to send data
                        \tat org.example.Writer.write(Writer.java:1)
                        Caused by: org.example.FlinkException: outer
                        \t... 3 more
                        Caused by: org.example.TimeoutException: 4 records expired
                        \t... 9 more
                        """))
                .isEqualTo("org.example.TimeoutException: 4 records expired");
        assertThat(FlinkRest.rootCause("java.lang.Error: alone\n\tat X")).isEqualTo("java.lang.Error: alone");
        assertThat(FlinkRest.rootCause("")).isEmpty();
    }

    @BeforeEach
    void serve() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            String answer = answers.get(exchange.getRequestURI().toString());
            byte[] body = (answer == null ? "{}" : answer).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(answer == null ? 404 : 200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    @DisplayName("the stack's own job is read: lag, readings, back pressure, checkpoint")
    void ownJob() {
        assertThat(new FlinkRest("http://127.0.0.1:" + server.getAddress().getPort(), "new").job())
                .contains(new FlinkRest.Job(
                        "running",
                        2,
                        4,
                        4,
                        OptionalLong.of(41),
                        OptionalLong.of(4),
                        OptionalDouble.of(240.5),
                        OptionalDouble.of(0.5),
                        OptionalLong.of(23),
                        OptionalLong.of(4096),
                        OptionalLong.of(77),
                        OptionalLong.empty()));
    }

    @Test
    @DisplayName("a task that is through with a bounded topic does not keep the job from running")
    void throughWithItsPartitions() {
        answers.put(
                "/jobs/overview",
                """
                {"jobs":[{"jid":"new","state":"RUNNING","start-time":2,
                          "tasks":{"total":4,"running":3,"finished":1}}]}""");
        FlinkRest rest = new FlinkRest("http://127.0.0.1:" + server.getAddress().getPort(), "new");
        assertThat(rest.job()).hasValueSatisfying(job -> assertThat(job.runs()).isTrue());
    }

    @Test
    @DisplayName("where a JobManager has no metric yet, lag and back pressure are not known, and are not 0")
    void noMetricYet() {
        answers.put(METRICS, "[]");
        assertThat(new FlinkRest("http://127.0.0.1:" + server.getAddress().getPort(), "new").job())
                .hasValueSatisfying(job -> {
                    assertThat(job.pendingRecords()).isEmpty();
                    assertThat(job.backPressure()).isEmpty();
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"latest\":{}}", "{\"latest\":{\"completed\":null,\"restored\":null}}"})
    @DisplayName("a job without a completed checkpoint says since when")
    void noCheckpoint(String said) {
        answers.put("/jobs/new/checkpoints", said);
        assertThat(new FlinkRest("http://127.0.0.1:" + server.getAddress().getPort(), "new").job())
                .hasValueSatisfying(job -> {
                    assertThat(job.checkpointTriggeredMillis()).isEmpty();
                    assertThat(job.noCheckpointSinceMillis()).hasValue(2);
                });
    }

    @Test
    @DisplayName("checkpoints that nobody tells of are no missing ones")
    void checkpointsUnknown() {
        answers.remove("/jobs/new/checkpoints");
        assertThat(new FlinkRest("http://127.0.0.1:" + server.getAddress().getPort(), "new").job())
                .hasValueSatisfying(
                        job -> assertThat(job.noCheckpointSinceMillis()).isEmpty());
    }

    @ParameterizedTest
    @ValueSource(strings = {"3.0", "0.0"})
    @DisplayName("while the broker has not told of every partition the lag is not known")
    void lagUnknown(String counted) {
        answers.computeIfPresent(
                AGGREGATED,
                (query, answer) -> answer.replace("splitsCounted\",\"sum\":4.0", "splitsCounted\",\"sum\":" + counted));
        assertThat(new FlinkRest("http://127.0.0.1:" + server.getAddress().getPort(), "new").job())
                .hasValueSatisfying(job -> {
                    assertThat(job.pendingRecords()).isEmpty();
                    assertThat(job.splits()).hasValue(4);
                });
    }

    @Test
    @DisplayName("a JobManager that does not have the stack's job is another stack's")
    void strangersJob() {
        assertThat(new FlinkRest("http://127.0.0.1:" + server.getAddress().getPort(), "ours").job())
                .isEmpty();
    }

    @Test
    @DisplayName("of a JobManager that somebody else runs it is the newest job, whatever it is called")
    void operatorsJob(@TempDir Path directory) {
        String url = "http://127.0.0.1:" + server.getAddress().getPort();
        StackState state = StackState.of(
                Map.of("part.jobmanager.state", StackState.FOREIGN, "part.jobmanager.url", url, "state", "running"));
        assertThat(FlinkRest.of(RunDirectory.of(directory, "river"), state)
                        .job()
                        .map(FlinkRest.Job::state))
                .contains("running");
    }

    @Test
    @DisplayName("nobody there is nothing known, not a failure")
    void nobodyThere() {
        int port = server.getAddress().getPort();
        server.stop(0);
        assertThat(new FlinkRest("http://127.0.0.1:" + port, "new").job()).isEmpty();
    }
}
