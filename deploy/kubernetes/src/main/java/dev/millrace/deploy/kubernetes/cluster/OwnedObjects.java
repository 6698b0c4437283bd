package dev.millrace.deploy.kubernetes.cluster;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What a stack consists of on its cluster, found by its labels; what somebody else made beside it is never among it. */
public final class OwnedObjects {
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
