package dev.millrace.deploy.kubernetes.cluster;

import io.fabric8.kubernetes.api.model.APIResource;
import io.fabric8.kubernetes.api.model.APIResourceList;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What a stack consists of on its cluster, found by its labels; what somebody else made beside it is never among it. */
public final class OwnedObjects {
    /** Kinds of the Prometheus operator's that up applies where a kustomization takes the component monitoring in, by their plurals. */
    private static final Map<String, String> MONITORING =
            Map.of("podmonitors", "PodMonitor", "prometheusrules", "PrometheusRule");

    private static final String MONITORING_GROUP = "monitoring.coreos.com";
    private static final String MONITORING_VERSION = "v1";

    private OwnedObjects() {}

    /** All of it but the namespace, workloads first. */
    public static List<HasMetadata> of(ClusterStack stack) {
        KubernetesClient client = stack.cluster().client();
        String namespace = stack.namespace();
        Map<String, String> ours = Owned.labels(stack.broker());
        List<HasMetadata> all = new ArrayList<>();
        all.addAll(client.apps()
                .statefulSets()
                .inNamespace(namespace)
                .withLabels(ours)
                .list()
                .getItems());
        all.addAll(client.apps()
                .deployments()
                .inNamespace(namespace)
                .withLabels(ours)
                .list()
                .getItems());
        all.addAll(client.batch()
                .v1()
                .jobs()
                .inNamespace(namespace)
                .withLabels(ours)
                .list()
                .getItems());
        all.addAll(
                client.services().inNamespace(namespace).withLabels(ours).list().getItems());
        all.addAll(client.configMaps()
                .inNamespace(namespace)
                .withLabels(ours)
                .list()
                .getItems());
        all.addAll(client.serviceAccounts()
                .inNamespace(namespace)
                .withLabels(ours)
                .list()
                .getItems());
        all.addAll(client.policy()
                .v1()
                .podDisruptionBudget()
                .inNamespace(namespace)
                .withLabels(ours)
                .list()
                .getItems());
        all.addAll(client.network()
                .v1()
                .networkPolicies()
                .inNamespace(namespace)
                .withLabels(ours)
                .list()
                .getItems());
        all.addAll(claims(stack));
        all.addAll(
                client.secrets().inNamespace(namespace).withLabels(ours).list().getItems());
        return all;
    }

    /** Those that only the production shape has, beside the kinds of operators. */
    public static List<HasMetadata> roles(ClusterStack stack) {
        var rbac = stack.cluster().client().rbac();
        Map<String, String> ours = Owned.labels(stack.broker());
        List<HasMetadata> all = new ArrayList<>();
        all.addAll(rbac.roleBindings()
                .inNamespace(stack.namespace())
                .withLabels(ours)
                .list()
                .getItems());
        all.addAll(rbac.roles()
                .inNamespace(stack.namespace())
                .withLabels(ours)
                .list()
                .getItems());
        return all;
    }

    /** What monitors it; none where the cluster does not know such kinds, or where one may not see them and so made none. */
    public static List<HasMetadata> monitoring(ClusterStack stack) {
        KubernetesClient client = stack.cluster().client();
        APIResourceList served = client.getApiResources(MONITORING_GROUP + "/" + MONITORING_VERSION);
        List<HasMetadata> all = new ArrayList<>();
        if (served == null) {
            return all;
        }
        for (APIResource one : served.getResources()) {
            if (one.getKind().equals(MONITORING.get(one.getName()))) {
                all.addAll(monitoring(stack, one));
            }
        }
        return all;
    }

    private static List<GenericKubernetesResource> monitoring(ClusterStack stack, APIResource kind) {
        return Cluster.visible(() -> stack.cluster()
                .client()
                .genericKubernetesResources(new ResourceDefinitionContext.Builder()
                        .withGroup(MONITORING_GROUP)
                        .withVersion(MONITORING_VERSION)
                        .withKind(kind.getKind())
                        .withPlural(kind.getName())
                        .withNamespaced(true)
                        .build())
                .inNamespace(stack.namespace())
                .withLabels(Owned.labels(stack.broker()))
                .list()
                .getItems());
    }

    /** Its volumes: what is bound to its data. */
    public static List<HasMetadata> claims(ClusterStack stack) {
        return new ArrayList<>(stack.cluster()
                .client()
                .persistentVolumeClaims()
                .inNamespace(stack.namespace())
                .withLabels(Owned.labels(stack.broker()))
                .list()
                .getItems());
    }
}
