package dev.millrace.core.window;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.core.reading.PayloadChunk;
import dev.millrace.core.settings.JobSettings;
import dev.millrace.core.settings.WindowSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.runtime.jobgraph.JobVertex;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.util.CloseableIterator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The job")
class WindowedAggregationTest {
    private static final WindowSettings WINDOW = WindowSettings.tumbling(Duration.ofSeconds(1), Duration.ofSeconds(0));
    private static final JobSettings SETTINGS = Samples.settings(WINDOW);

    @Test
    @DisplayName("has source and decoder in one vertex, windows in the next, a uid everywhere and no generic type")
    void chains() {
        Configuration configuration = new Configuration();
        StreamExecutionEnvironment environment = environment();
        configuration.set(PipelineOptions.AUTO_GENERATE_UIDS, false);
        environment.configure(configuration);
        Windows windows = WindowedAggregation.over(source(environment), SETTINGS);
        windows.rows().sinkTo(new DiscardingSink<>()).uid("rows");
        windows.deadLetters().sinkTo(new DiscardingSink<>()).uid("letters");
        List<JobVertex> vertices =
                environment.getStreamGraph().getJobGraph().getVerticesSortedTopologicallyFromSources();
        assertThat(vertices).hasSizeGreaterThanOrEqualTo(2);
        assertThat(vertices.get(0).getName()).contains("chunks").contains("decode");
        assertThat(vertices.subList(1, vertices.size()))
                .noneMatch(vertex -> vertex.getName().contains("decode"));
    }

    @Test
    @SuppressWarnings("try") // the iterator's close() may be interrupted
    @DisplayName("calls no reading late when two partitions are drained one after the other, and has every window")
    void drainsOneAfterTheOther() throws Exception {
        StreamExecutionEnvironment environment = environment();
        environment.getConfig().setAutoWatermarkInterval(1);
        Windows windows = WindowedAggregation.over(source(environment), SETTINGS);
        DataStream<String> all = windows.rows()
                .map(row -> row.deviceId() + " " + row.windowStart() + " " + row.values().readings, Types.STRING)
                .uid("rows")
                .union(windows.deadLetters()
                        .map(letter -> "dead: " + letter, Types.STRING)
                        .uid("letters"));
        List<String> lines = new ArrayList<>();
        try (CloseableIterator<String> collected = all.executeAndCollect()) {
            collected.forEachRemaining(lines::add);
        }
        List<String> expected = new ArrayList<>();
        for (int partition = 0; partition < DrainedSource.PARTITIONS; partition++) {
            for (int second = 0; second < DrainedSource.READINGS / 100; second++) {
                expected.add("device-" + partition + " " + second * 1000 + " 100");
            }
        }
        assertThat(lines).containsExactlyInAnyOrderElementsOf(expected);
    }

    private static StreamExecutionEnvironment environment() {
        Configuration configuration = new Configuration();
        configuration.set(PipelineOptions.OBJECT_REUSE, true);
        configuration.set(PipelineOptions.GENERIC_TYPES, false);
        return StreamExecutionEnvironment.createLocalEnvironment(1, configuration);
    }

    private static DataStream<PayloadChunk> source(StreamExecutionEnvironment environment) {
        return environment
                .fromSource(
                        new DrainedSource(), ReadingWatermarks.strategy(SETTINGS), "chunks", WindowTypes.PAYLOAD_CHUNK)
                .uid("source");
    }
}
