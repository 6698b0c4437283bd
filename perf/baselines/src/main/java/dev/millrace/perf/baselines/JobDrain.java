package dev.millrace.perf.baselines;

import dev.millrace.connectors.job.StackJob;
import dev.millrace.connectors.job.TaskBuffers;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.jobmaster.JobResult;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.jspecify.annotations.Nullable;

/**
 * A Flink job, JobManager and TaskManager in this process, the same for all passes: so the same warm machine code drains again
 * and again, and every variant is measured alike. What the product's own processes do is measured, and audited, by whole stacks.
 */
final class JobDrain implements Drain {
    private static final MemorySize NETWORK = MemorySize.ofMebiBytes(96);
    private static final long STOP_SECONDS = 60;

    private static @Nullable MiniCluster running;

    private final MiniCluster cluster;
    private final JobID job;
    private final SourceCount count;
    private final CompletableFuture<JobResult> end;

    /** Adds one job to an environment. */
    interface Pipeline {
        void build(StreamExecutionEnvironment environment, StackJob job);
    }

    private JobDrain(MiniCluster cluster, JobID job, SourceCount count) {
        this.cluster = cluster;
        this.job = job;
        this.count = count;
        this.end = cluster.requestJobResult(job);
    }

    static Drain start(StackJob job, Pipeline pipeline) throws Exception {
        int parallelism = job.settings().parallelism();
        StreamExecutionEnvironment environment = StreamExecutionEnvironment.createLocalEnvironment(parallelism);
        pipeline.build(environment, job);
        // One that began again has counted some readings twice, and one that cannot run would begin again for ever.
        environment.configure(new Configuration().set(RestartStrategyOptions.RESTART_STRATEGY, "none"));
        JobGraph graph = environment.getStreamGraph().getJobGraph();
        MiniCluster cluster = cluster(parallelism);
        SourceCount count = SourceCount.begin();
        return new JobDrain(cluster, cluster.submitJob(graph).get().getJobID(), count);
    }

    private static synchronized MiniCluster cluster(int slots) throws Exception {
        MiniCluster cluster = running;
        if (cluster == null) {
            Configuration configuration = new Configuration();
            configuration.set(RestOptions.BIND_PORT, "0");
            configuration.set(TaskManagerOptions.NETWORK_MEMORY_MIN, NETWORK);
            configuration.set(TaskManagerOptions.NETWORK_MEMORY_MAX, NETWORK);
            TaskBuffers.settings(NETWORK.getBytes(), slots).forEach(configuration::setString);
            configuration.set(TaskManagerOptions.MANAGED_MEMORY_SIZE, MemorySize.ofMebiBytes(256));
            SourceCount.configure(configuration);
            cluster = new MiniCluster(new MiniClusterConfiguration.Builder()
                    .setConfiguration(configuration)
                    .setNumTaskManagers(1)
                    .setNumSlotsPerTaskManager(slots)
                    .build());
            cluster.start();
            running = cluster;
        }
        return cluster;
    }

    @Override
    public long readings() {
        return count.readings();
    }

    @Override
    public boolean isOver() {
        return end.isDone();
    }

    @Override
    public void await() throws Exception {
        end.get().toJobExecutionResult(getClass().getClassLoader());
    }

    @Override
    public void stop() throws Exception {
        if (!end.isDone()) {
            try {
                cluster.cancelJob(job).get(STOP_SECONDS, TimeUnit.SECONDS);
            } catch (ExecutionException e) {
                // A job that came to its end meanwhile refuses; what became of it is below.
                if (!end.isDone()) {
                    throw e;
                }
            }
        }
        JobResult result = end.get(STOP_SECONDS, TimeUnit.SECONDS);
        if (result.getApplicationStatus().deriveJobStatus() == JobStatus.FAILED) {
            result.toJobExecutionResult(getClass().getClassLoader());
        }
    }
}
