package dev.millrace.deploy.kubernetes;

import dev.millrace.deploy.kubernetes.cluster.Fields;
import dev.millrace.deploy.kubernetes.production.Definitions;
import dev.millrace.deploy.kubernetes.production.Needs;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * Says of each object of a stack what its operator would say when all is well, and does nothing else: no operator runs, no pod comes of these
 * objects. What an up or a down does then is real; that an operator says such things is what its documentation promises.
 */
final class PretendedOperators implements AutoCloseable {
    private static final Duration LOOK = Duration.ofMillis(300);

    private final KubernetesClient client;
    private final String namespace;
    private final Needs needs;
    private final Thread thread = new Thread(this::run, "pretended-operators");
    private volatile boolean ends;
    private volatile boolean hasSaid;

    private PretendedOperators(KubernetesClient client, String namespace, Needs needs) {
        this.client = client;
        this.namespace = namespace;
        this.needs = needs;
    }

    static PretendedOperators start(KubernetesClient client, String namespace, Needs needs) {
        PretendedOperators operators = new PretendedOperators(client, namespace, needs);
        operators.thread.start();
        return operators;
    }

    /** Whether anything was said at all: without it an up would wait in vain. */
    boolean hasSaid() {
        return hasSaid;
    }

    private void run() {
        while (!ends) {
            for (Needs.Definition kind : needs.own()) {
                try {
                    if (kind.until() != null && Definitions.serves(client, kind.context())) {
                        objects(kind).forEach(object -> say(kind, object));
                    }
                } catch (KubernetesClientException e) {
                    // It was changed or removed just now: the next look sees that.
                    continue;
                }
            }
            LockSupport.parkNanos(LOOK.toNanos());
        }
    }

    private List<GenericKubernetesResource> objects(Needs.Definition kind) {
        return client.genericKubernetesResources(kind.context())
                .inNamespace(namespace)
                .list()
                .getItems();
    }

    private void say(Needs.Definition kind, GenericKubernetesResource object) {
        Map<String, Object> status = new HashMap<>();
        boolean isSuspended = Fields.text(object, "spec.job.state").equals("suspended");
        List<Map<String, Object>> conditions = new ArrayList<>();
        for (Needs.Until until : kind.until()) {
            if (until.condition() != null) {
                conditions.add(Map.of("type", until.condition(), "status", "True"));
                status.put("conditions", conditions);
            } else {
                String value = isSuspended ? "SUSPENDED" : until.is();
                put(status, until.field().replaceFirst("^status\\.", ""), value);
            }
        }
        status.put("observedGeneration", object.getMetadata().getGeneration());
        object.setAdditionalProperty("status", status);
        client.resource(object).patchStatus();
        hasSaid = true;
    }

    @SuppressWarnings("unchecked")
    private static void put(Map<String, Object> status, String path, String value) {
        int dot = path.indexOf('.');
        if (dot < 0) {
            status.put(path, value);
        } else {
            put(
                    (Map<String, Object>) status.computeIfAbsent(path.substring(0, dot), key -> new HashMap<>()),
                    path.substring(dot + 1),
                    value);
        }
    }

    @Override
    public void close() {
        ends = true;
        try {
            thread.join(Duration.ofSeconds(20).toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
