package dev.millrace.deploy.pod;

import dev.millrace.deploy.local.Site;
import dev.millrace.deploy.local.StackState;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** What each part's processes are told to listen on, by the names that the manifests give the ports. */
public final class PodPorts {
    private static final Map<String, Map<String, String>> NAMES = Map.of(
            StackState.JOB_MANAGER,
            Map.of("web", Site.WEB, "rpc", Site.RPC, "blob", Site.BLOB, "metrics", Site.JOB_MANAGER_METRICS),
            StackState.TASK_MANAGER,
            Map.of(
                    "rpc",
                    Site.TASK_RPC,
                    "data",
                    Site.TASK_DATA,
                    "figures",
                    Site.FIGURES,
                    "metrics",
                    Site.TASK_MANAGER_METRICS),
            StackState.GENERATOR,
            Map.of("http", Site.GENERATOR));

    private PodPorts() {}

    /** Empty when the part is none of ours. */
    public static Map<String, Integer> of(String part) {
        if (part.equals(StackState.STORE)) {
            return Map.of("http", PodPart.STORE_PORT);
        }
        Map<String, Integer> ports = new LinkedHashMap<>();
        Site site = new PodSite("127.0.0.1", Optional.empty());
        NAMES.getOrDefault(part, Map.of()).forEach((name, purpose) -> ports.put(name, site.port(purpose, "")));
        return ports;
    }
}
