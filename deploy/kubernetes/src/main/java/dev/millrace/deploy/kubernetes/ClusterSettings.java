package dev.millrace.deploy.kubernetes;

import dev.millrace.connectors.api.broker.Broker;
import dev.millrace.core.settings.Options;
import dev.millrace.core.settings.UserException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Which settings of a stack mean nothing on a cluster. */
public final class ClusterSettings {
    /**
     * They mean this machine, its processes or a broker outside the cluster, or, a bounded number of readings, a stack that ends; the
     * broker is named with the place.
     */
    static final List<String> NOT_HERE = List.of(
            "broker",
            "plugin-dir",
            "address",
            "topic-prefix",
            "replicas",
            "readings",
            "latency-log",
            "broker-memory",
            "broker-port",
            "store-port",
            "web-port",
            "generator-port",
            "supervisor-port",
            "metrics-port");

    private ClusterSettings() {}

    /** Throws UserException when one is there: a file of this machine, or a scenario, may have them. */
    public static void refuse(Options given) {
        List<String> wrong = new ArrayList<>();
        for (String key : NOT_HERE) {
            if (!key.equals("broker") && given.get(key).isPresent()) {
                wrong.add(key);
            }
        }
        if (!wrong.isEmpty()) {
            throw new UserException(
                    "on a cluster these settings mean nothing: " + String.join(", ", wrong) + "; leave them out");
        }
    }

    /**
     * Throws UserException when options of the broker are there that tell only a server that up starts on this machine: the one on a
     * cluster is told by its manifests, and would not keep what they promise.
     *
     * @param plugin of the broker
     */
    public static void refuseOfServer(Broker plugin, Options options) {
        List<String> wrong = plugin.ofLocalServer(options);
        if (!wrong.isEmpty()) {
            throw new UserException("on a cluster these say nothing to the broker's server: "
                    + wrong.stream().map(option -> "broker." + option).collect(Collectors.joining(", "))
                    + "; leave them out (what it is told there stands in brokers/" + plugin.name()
                    + "/deploy/kubernetes/tiny)");
        }
    }
}
