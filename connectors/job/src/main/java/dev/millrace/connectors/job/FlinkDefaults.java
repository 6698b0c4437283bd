package dev.millrace.connectors.job;

import dev.millrace.core.settings.JobSettings;
import dev.millrace.core.settings.JobSettings.StateBackend;
import java.time.Duration;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExternalizedCheckpointRetention;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.ResourceManagerOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.configuration.WebOptions;
import org.apache.flink.core.execution.CheckpointingMode;
import org.apache.flink.core.execution.RestoreMode;

/** The policies of every Millrace job, whoever wrote the process's config.yaml: they win over it. */
public final class FlinkDefaults {
    private FlinkDefaults() {}

    /** The JobManager's: its one job comes with it, and no other is taken. */
    static void cluster(Configuration configuration) {
        configuration.set(WebOptions.SUBMIT_ENABLE, false);
        configuration.set(WebOptions.CANCEL_ENABLE, false);
        configuration.set(StateRecoveryOptions.RESTORE_MODE, RestoreMode.CLAIM);
        // Zero: for good. A TaskManager that died is started again, so who asks for its slots waits for it; when a
        // JobManager is
        // five minutes old, Flink would fail such an attempt at once, and the next one waits longer.
        configuration.set(ResourceManagerOptions.STANDALONE_CLUSTER_STARTUP_PERIOD_TIME, Duration.ZERO);
    }

    /** The job's, with what its settings ask for. */
    public static Configuration job(JobSettings settings) {
        Configuration configuration = new Configuration();
        configuration.set(PipelineOptions.AUTO_GENERATE_UIDS, false);
        configuration.set(PipelineOptions.GENERIC_TYPES, false);
        configuration.set(PipelineOptions.MAX_PARALLELISM, JobSettings.MAX_PARALLELISM);
        configuration.set(PipelineOptions.AUTO_WATERMARK_INTERVAL, Duration.ofMillis(200));
        // No operator of ours keeps or changes an element that it was given; without this each chained step copies.
        configuration.set(PipelineOptions.OBJECT_REUSE, true);

        configuration.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, settings.checkpointInterval());
        configuration.set(CheckpointingOptions.CHECKPOINTING_CONSISTENCY_MODE, CheckpointingMode.EXACTLY_ONCE);
        // Aligned: the windows rely on every subtask having seen the same watermarks at a checkpoint.
        configuration.set(CheckpointingOptions.ENABLE_UNALIGNED, false);
        configuration.set(
                CheckpointingOptions.EXTERNALIZED_CHECKPOINT_RETENTION,
                ExternalizedCheckpointRetention.RETAIN_ON_CANCELLATION);
        configuration.set(CheckpointingOptions.MAX_RETAINED_CHECKPOINTS, 3);
        // A full disk for some seconds must not fail the job.
        configuration.set(CheckpointingOptions.TOLERABLE_FAILURE_NUMBER, 10);
        configuration.set(CheckpointingOptions.CHECKPOINT_STORAGE, "filesystem");
        if (!settings.checkpointDirectory().isEmpty()) {
            configuration.set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, settings.checkpointDirectory());
        }

        restarts(configuration);

        boolean rocksDb = settings.stateBackend() == StateBackend.ROCKSDB;
        configuration.set(StateBackendOptions.STATE_BACKEND, rocksDb ? "rocksdb" : "hashmap");
        if (rocksDb) {
            configuration.set(CheckpointingOptions.INCREMENTAL_CHECKPOINTS, true);
            // A key that is asked for is in one file at most: without filters every file of every level is looked at.
            configuration.setString("state.backend.rocksdb.use-bloom-filter", "true");
            // Else the filters and indexes of large state push its blocks, and each other, out of a small cache.
            configuration.setString("state.backend.rocksdb.memory.partitioned-index-filters", "true");
            if (settings.stateDirectory() != null) {
                configuration.setString("state.backend.rocksdb.localdir", settings.stateDirectory());
            }
        }
        return configuration;
    }

    /**
     * However often a job fails, the next attempt begins within 5 s: about what a TaskManager needs to start, so a job seldom
     * waits longer than for its process. An attempt that fails at once costs some tenths of a CPU second, which every 5 s is no
     * load. Half a minute without a failure, and the next wait is a second again; Flink's own hour would keep the longest wait.
     */
    private static void restarts(Configuration configuration) {
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "exponential-delay");
        configuration.set(
                RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_INITIAL_BACKOFF, Duration.ofSeconds(1));
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_MAX_BACKOFF, Duration.ofSeconds(5));
        configuration.set(
                RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_RESET_BACKOFF_THRESHOLD,
                Duration.ofSeconds(30));
    }
}
