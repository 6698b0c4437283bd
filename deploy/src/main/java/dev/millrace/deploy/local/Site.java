package dev.millrace.deploy.local;

import java.util.Optional;

/** Where the processes of a stack find each other: each on one address, under a name, on known ports. Thread-safe. */
public interface Site {
    String WEB = "web";
    String RPC = "rpc";
    String BLOB = "blob";
    /** Where a process of Flink is asked by the JobManager for its figures. */
    String FIGURES = "figures";

    String TASK_RPC = "task-rpc";
    String TASK_DATA = "task-data";
    String JOB_MANAGER_METRICS = "jobmanager-metrics";
    String TASK_MANAGER_METRICS = "taskmanager-metrics";
    String GENERATOR = "generator";
    String SUPERVISOR = "supervisor";

    /** The name or address under which others reach a part; {@link StackState#JOB_MANAGER} and so on. */
    String host(String part);

    /** The one address on which the process that is prepared here listens. */
    String bind();

    /**
     * The port for one purpose, the same at every call while its process lives; 0 takes any.
     *
     * @param process whose port it is; empty for this process
     */
    int port(String purpose, String process);

    /** Whether processes log to their output, which somebody else keeps; otherwise each to its own file. */
    boolean logsToOutput();

    /** The keys of the Flink process that is prepared here; empty where nothing leaves the machine, and all is plain. */
    Optional<FlinkKeys> flinkKeys();
}
