package dev.millrace.deploy.pod;

import dev.millrace.deploy.local.FlinkKeys;
import dev.millrace.deploy.local.Site;
import dev.millrace.deploy.local.StackState;
import java.util.Map;
import java.util.Optional;

/**
 * A cluster: each process in a pod of its own, on the pod's address; the JobManager under the name of its service, TaskManagers
 * under their addresses. Immutable.
 *
 * @param bind the address of this pod
 * @param flinkKeys empty where the process is none of Flink's
 */
record PodSite(String bind, Optional<FlinkKeys> flinkKeys) implements Site {
    /** The manifests name the same ones. */
    private static final Map<String, Integer> PORTS = Map.of(
            WEB, 8081,
            RPC, 6123,
            BLOB, 6124,
            TASK_DATA, 6121,
            TASK_RPC, 6122,
            FIGURES, 6125,
            JOB_MANAGER_METRICS, 9249,
            TASK_MANAGER_METRICS, 9249,
            GENERATOR, 8090);

    @Override
    public String host(String part) {
        return part.equals(StackState.JOB_MANAGER) ? StackState.JOB_MANAGER : bind;
    }

    @Override
    public int port(String purpose, String process) {
        return PORTS.get(purpose);
    }

    @Override
    public boolean logsToOutput() {
        return true;
    }
}
