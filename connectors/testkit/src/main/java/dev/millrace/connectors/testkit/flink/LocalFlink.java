package dev.millrace.connectors.testkit.flink;

import java.time.Duration;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RpcOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * Flink in the test's process, patient: its parts ask one another, and a test asks for its job's result, within 10 s by default,
 * and a machine that runs servers and two or three test classes at once can stand still for longer than that.
 */
public final class LocalFlink {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private LocalFlink() {}

    /** An environment whose job fails for good at its first failure unless it has checkpoints. */
    public static StreamExecutionEnvironment environment(int parallelism) {
        return environment(parallelism, new Configuration());
    }

    /** @param configuration what else the job's cluster is to know */
    public static StreamExecutionEnvironment environment(int parallelism, Configuration configuration) {
        Configuration patient = new Configuration(configuration);
        patient.set(RpcOptions.ASK_TIMEOUT_DURATION, PATIENCE);
        patient.set(RpcOptions.STARTUP_TIMEOUT, PATIENCE);
        return StreamExecutionEnvironment.createLocalEnvironment(parallelism, patient);
    }
}
