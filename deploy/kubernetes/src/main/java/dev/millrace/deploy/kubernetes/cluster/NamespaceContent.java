package dev.millrace.deploy.kubernetes.cluster;

import io.fabric8.kubernetes.api.model.APIResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GroupVersionForDiscovery;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** What is in a namespace, of every kind that the cluster knows. */
public final class NamespaceContent {
    /** What the cluster puts into every namespace, and what follows from other objects. */
    private static final List<String> OF_THE_CLUSTER =
            List.of("Event", "Endpoints", "EndpointSlice", "Lease", "PodMetrics", "ControllerRevision");

    private NamespaceContent() {}

    /** Objects of people, by kind and name; computed while the stream is read. */
    public static Stream<String> others(KubernetesClient client, String namespace) {
        List<ResourceDefinitionContext> kinds = new ArrayList<>();
        kinds(client, "v1").forEach(kinds::add);
        // The version that a group prefers need not have all of its kinds.
        client.getApiGroups().getGroups().forEach(group -> {
            Set<String> named = new HashSet<>();
            for (GroupVersionForDiscovery version : group.getVersions()) {
                kinds(client, version.getGroupVersion())
                        .filter(kind -> named.add(kind.getPlural()))
                        .forEach(kinds::add);
            }
        });
        return kinds.stream()
                .flatMap(kind -> objects(client, kind, namespace).stream())
                .filter(object -> !OF_THE_CLUSTER.contains(object.getKind()))
                .map(Owned::name)
                .filter(name -> !List.of("ConfigMap/kube-root-ca.crt", "ServiceAccount/default")
                        .contains(name));
    }

    private static Stream<ResourceDefinitionContext> kinds(KubernetesClient client, String groupVersion) {
        var list = client.getApiResources(groupVersion);
        int slash = groupVersion.indexOf('/');
        return list == null
                ? Stream.empty()
                : list.getResources().stream()
                        .filter(one -> one.getNamespaced() && one.getVerbs().contains("list"))
                        .filter(one -> !OF_THE_CLUSTER.contains(one.getKind()))
                        .map(one -> context(one, groupVersion, slash));
    }

    private static ResourceDefinitionContext context(APIResource one, String groupVersion, int slash) {
        return new ResourceDefinitionContext.Builder()
                .withGroup(slash < 0 ? "" : groupVersion.substring(0, slash))
                .withVersion(groupVersion.substring(slash + 1))
                .withKind(one.getKind())
                .withPlural(one.getName())
                .withNamespaced(true)
                .build();
    }

    private static List<GenericKubernetesResource> objects(
            KubernetesClient client, ResourceDefinitionContext kind, String namespace) {
        try {
            return client.genericKubernetesResources(kind)
                    .inNamespace(namespace)
                    .list()
                    .getItems();
        } catch (KubernetesClientException e) {
            // What one may not list one cannot rule out either: then the namespace stays.
            GenericKubernetesResource unknown = new GenericKubernetesResource();
            unknown.setKind(kind.getKind());
            unknown.setMetadata(new io.fabric8.kubernetes.api.model.ObjectMetaBuilder()
                    .withName("(" + Cluster.said(e) + ")")
                    .build());
            return List.of(unknown);
        }
    }
}
