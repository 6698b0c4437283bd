package dev.millrace.connectors.job;

import dev.millrace.connectors.api.broker.Brokers;
import dev.millrace.connectors.api.broker.SinkSpec;
import dev.millrace.connectors.api.store.ResultStores;
import dev.millrace.connectors.api.store.StoreSink;
import dev.millrace.core.latest.LatestAggregation;
import dev.millrace.core.latest.LatestTimes;
import dev.millrace.core.reading.PayloadChunk;
import dev.millrace.core.settings.UserException;
import dev.millrace.core.window.DeadLetter;
import dev.millrace.core.window.ReadingWatermarks;
import dev.millrace.core.window.WindowTypes;
import dev.millrace.core.window.WindowedAggregation;
import dev.millrace.core.window.Windows;
import java.nio.file.Path;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** The Flink job: readings from any broker, windows or latest times to any store. */
public final class Main {
    private Main() {}

    public static void main(String[] args) throws Exception {
        StackJob job = job(args);
        environment(job).execute(name(job));
    }

    /** The job that the arguments name: {@code --settings FILE}. */
    static StackJob job(String[] args) {
        if (args.length != 2 || !args[0].equals("--settings")) {
            throw new UserException("the job takes --settings FILE");
        }
        return StackJob.read(Path.of(args[1]));
    }

    /** With the job in it, and nothing else. */
    static StreamExecutionEnvironment environment(StackJob job) {
        StreamExecutionEnvironment environment = StreamExecutionEnvironment.getExecutionEnvironment();
        build(environment, job);
        return environment;
    }

    static String name(StackJob job) {
        return "millrace " + job.broker();
    }

    /** Adds the job to {@code environment}, with the configuration that every Millrace job has. */
    public static void build(StreamExecutionEnvironment environment, StackJob job) {
        // Looked up on the tasks; a wrong name must be said here.
        ResultStores.named(job.store());
        DataStream<PayloadChunk> chunks = chunks(environment, job);
        switch (job.kind()) {
            case WINDOWS -> windows(chunks, job);
            case LATEST_TIMES -> latestTimes(chunks, job);
        }
    }

    /** What the job reads, in {@code environment} with the configuration that every Millrace job has. */
    public static DataStream<PayloadChunk> chunks(StreamExecutionEnvironment environment, StackJob job) {
        environment.configure(FlinkDefaults.job(job.settings()));
        environment.setParallelism(job.settings().parallelism());
        return environment
                .fromSource(
                        Brokers.named(job.broker()).source(job.brokerOptions(), job.sourceSpec()),
                        ReadingWatermarks.strategy(job.settings()),
                        job.broker(),
                        WindowTypes.PAYLOAD_CHUNK)
                .uid("source-" + job.broker());
    }

    private static void windows(DataStream<PayloadChunk> chunks, StackJob job) {
        Windows windows = WindowedAggregation.over(chunks, job.settings());

        windows.rows()
                .sinkTo(inStore(StoreSink.windows(job.store(), job.storeOptions()), job))
                .name("store")
                .uid("store-windows");
        deadLetters(windows.deadLetters(), job);
        job.resultsTopic().ifPresent(topic -> windows.rows()
                .sinkTo(Brokers.named(job.broker())
                        .sink(job.brokerOptions(), new SinkSpec<>(topic, new ResultRecord(), job.resultsSendLimit())))
                .name("results topic")
                .uid("results-" + job.broker()));
    }

    private static void latestTimes(DataStream<PayloadChunk> chunks, StackJob job) {
        LatestTimes latest = LatestAggregation.over(chunks, job.settings());

        latest.rows()
                .sinkTo(inStore(StoreSink.latestTimes(job.store(), job.storeOptions()), job))
                .name("store")
                .uid("store-latest-times");
        deadLetters(latest.deadLetters(), job);
    }

    private static void deadLetters(DataStream<DeadLetter> letters, StackJob job) {
        letters.sinkTo(inStore(StoreSink.deadLetters(job.store(), job.storeOptions()), job))
                .name("dead letters")
                .uid("store-dead-letters");
    }

    /** With rows that do not fit memory beside the checkpoints that they wait for. */
    public static <T> StoreSink<T> inStore(StoreSink<T> sink, StackJob job) {
        String checkpoints = job.settings().checkpointDirectory();
        return checkpoints.isEmpty() ? sink : sink.withFilesIn(checkpoints + "/rows", StoreSink.MEMORY_BYTES);
    }
}
