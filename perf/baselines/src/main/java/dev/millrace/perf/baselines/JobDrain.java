package dev.millrace.perf.baselines;

import dev.millrace.connectors.job.StackJob;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * A Flink job, JobManager and TaskManager in this process: so the same warm machine code drains twice, and every variant is
 * measured alike. What the product's own processes do is measured, and audited, by whole stacks.
 */
final class JobDrain implements Drain {
    private static final long STOP_SECONDS = 60;

    private final JobClient client;
    private final SourceCount count;

    /** Adds one job to an environment. */
    interface Pipeline {
        void build(StreamExecutionEnvironment environment, StackJob job);
    }

    private JobDrain(JobClient client, SourceCount count) {
        this.client = client;
        this.count = count;
    }

    static Drain start(StackJob job, Pipeline pipeline) throws Exception {
        SourceCount count = SourceCount.begin();
        Configuration configuration = new Configuration();
        configuration.set(TaskManagerOptions.NETWORK_MEMORY_MIN, MemorySize.ofMebiBytes(96));
        configuration.set(TaskManagerOptions.NETWORK_MEMORY_MAX, MemorySize.ofMebiBytes(96));
        configuration.set(TaskManagerOptions.MANAGED_MEMORY_SIZE, MemorySize.ofMebiBytes(256));
        SourceCount.configure(configuration);
        StreamExecutionEnvironment environment =
                StreamExecutionEnvironment.createLocalEnvironment(job.settings().parallelism(), configuration);
        pipeline.build(environment, job);
        return new JobDrain(environment.executeAsync("drain " + job.broker()), count);
    }

    @Override
    public long readings() {
        return count.readings();
    }

    @Override
    public void await() throws Exception {
        client.getJobExecutionResult().get();
    }

    @Override
    public void stop() throws Exception {
        client.cancel().get(STOP_SECONDS, TimeUnit.SECONDS);
        try {
            client.getJobExecutionResult().get(STOP_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            // Cancelled, as it was told to be.
        }
    }
}
