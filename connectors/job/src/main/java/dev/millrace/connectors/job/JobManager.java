package dev.millrace.connectors.job;

import dev.millrace.connectors.api.broker.StopAt;
import dev.millrace.connectors.api.store.ResultStores;
import dev.millrace.connectors.api.store.StoreClient;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.LocalFolder;
import dev.millrace.core.settings.UserException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.apache.flink.api.common.JobID;
import org.apache.flink.client.deployment.application.ApplicationClusterEntryPoint;
import org.apache.flink.client.program.PackagedProgram;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.GlobalConfiguration;
import org.apache.flink.configuration.PipelineOptionsInternal;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.core.execution.RestoreMode;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.plugin.PluginUtils;
import org.apache.flink.runtime.entrypoint.ClusterEntrypoint;
import org.apache.flink.runtime.resourcemanager.StandaloneResourceManagerFactory;
import org.apache.flink.runtime.util.EnvironmentInformation;
import org.apache.flink.runtime.util.SignalHandler;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * The JobManager process with its one job: {@code --configDir DIR --settings FILE}. However it ended before, it goes on from
 * the newest completed checkpoint or savepoint, under the same job id. TaskManagers are processes of their own.
 *
 * <p>Exit codes: 2 when the settings are wrong, 3 when the machine does not allow it, 1 for anything else, also a job that has failed
 * for good.
 */
@SuppressWarnings("try") // Flink's close() may be interrupted; nobody holds this in a try
public final class JobManager extends ApplicationClusterEntryPoint {

    private static final Duration LOOK = Duration.ofSeconds(10);

    private JobManager(Configuration configuration, PackagedProgram program) {
        super(configuration, program, StandaloneResourceManagerFactory.getInstance());
    }

    public static void main(String[] args) {
        EnvironmentInformation.logEnvironmentInfo(LOG, JobManager.class.getSimpleName(), args);
        SignalHandler.register(LOG);
        JobManager jobManager;
        try {
            jobManager = configured(args);
        } catch (UserException e) {
            throw exit(e, 2);
        } catch (EnvironmentException e) {
            throw exit(e, 3);
        } catch (Exception e) {
            LOG.error("The JobManager cannot start.", e);
            throw exit(e, 1);
        }
        ClusterEntrypoint.runClusterEntrypoint(jobManager);
    }

    private static JobManager configured(String[] args) throws Exception {
        String configDir = argument(args, "--configDir");
        String settingsFile = argument(args, "--settings");
        StackJob job = StackJob.read(Path.of(settingsFile));
        // Whatever is wrong with broker, store or their options is said now, not by a job that fails again and again.
        Main.build(StreamExecutionEnvironment.createLocalEnvironment(), job);

        Configuration configuration = GlobalConfiguration.loadConfiguration(configDir);
        FlinkDefaults.cluster(configuration);
        if (!configuration.contains(PipelineOptionsInternal.PIPELINE_FIXED_JOB_ID)) {
            configuration.set(
                    PipelineOptionsInternal.PIPELINE_FIXED_JOB_ID, jobId(job).toHexString());
        }
        if (!configuration.contains(StateRecoveryOptions.SAVEPOINT_PATH)) {
            goOn(configuration, job);
        }
        FileSystem.initialize(configuration, PluginUtils.createPluginManagerFromRootFolder(configuration));
        installSecurityContext(configuration);
        PackagedProgram program = PackagedProgram.newBuilder()
                .setEntryPointClassName(KeptJob.class.getName())
                .setArguments("--settings", settingsFile)
                .setConfiguration(configuration)
                .build();
        configureExecution(configuration, program);
        return new JobManager(configuration, program);
    }

    /** Lets the job begin where the newest checkpoint or savepoint ends. */
    private static void goOn(Configuration configuration, StackJob job) {
        // A bounded job drops its checkpoints when it is through; a savepoint that lies there must not begin it again.
        String savepoints =
                job.stopAt() == StopAt.END ? "" : configuration.get(CheckpointingOptions.SAVEPOINT_DIRECTORY, "");
        Optional<Checkpoints.Snapshot> newest =
                Checkpoints.latest(job.settings().checkpointDirectory(), savepoints);
        LOG.info(newest.map(found -> "Restoring " + found).orElse("No checkpoint to restore; starting afresh"));
        if (newest.isEmpty()) {
            requireEmptyStore(job);
            return;
        }
        Path folder = newest.get().folder();
        if (newest.get().savepoint()) {
            // It stays a person's. The older checkpoints stay until the next restart: only beside one of them does a
            // savepoint count.
            configuration.set(StateRecoveryOptions.RESTORE_MODE, RestoreMode.NO_CLAIM);
        } else {
            // This one is Flink's to remove from now on; those that an earlier JobManager left would stay for ever.
            if (job.stopAt() == StopAt.END) {
                // They would be there when the job has ended and its own are gone, and begin it again.
                Checkpoints.dropOlder(folder);
            } else {
                Checkpoints.dropOlderOnceGoneOn(folder, LOOK);
            }
        }
        configuration.set(StateRecoveryOptions.SAVEPOINT_PATH, LocalFolder.location(folder));
    }

    /** Readings that are read again from the start would make rows that are in the store already. */
    private static void requireEmptyStore(StackJob job) {
        try (StoreClient store = ResultStores.named(job.store()).connect(job.storeOptions())) {
            if (store.completeTo() != Long.MIN_VALUE) {
                throw new EnvironmentException("there is no checkpoint below "
                        + job.settings().checkpointDirectory() + " to go on from, and the store holds windows already;"
                        + " starting over would store them twice: take the stack's data down first");
            }
        }
    }

    /** The same for the same readers of the same topic, so that checkpoints stay in one folder over restarts. */
    private static JobID jobId(StackJob job) {
        String name = job.broker() + "/" + job.topic() + "/" + job.readerGroup();
        UUID hash = UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8));
        return new JobID(hash.getMostSignificantBits(), hash.getLeastSignificantBits());
    }

    private static String argument(String[] args, String name) {
        if (args.length != 4) {
            throw new UserException("the JobManager takes --configDir DIR --settings FILE");
        }
        for (int i = 0; i < args.length; i += 2) {
            if (args[i].equals(name)) {
                return args[i + 1];
            }
        }
        throw new UserException("the JobManager needs " + name);
    }

    private static IllegalStateException exit(Exception cause, int code) {
        System.err.println(cause.getMessage() == null ? cause.toString() : cause.getMessage());
        System.exit(code);
        return new IllegalStateException(cause);
    }
}
