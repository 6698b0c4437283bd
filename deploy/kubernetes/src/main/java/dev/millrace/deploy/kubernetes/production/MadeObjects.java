package dev.millrace.deploy.kubernetes.production;

import dev.millrace.deploy.kubernetes.cluster.Cluster;
import dev.millrace.deploy.kubernetes.cluster.ClusterStack;
import dev.millrace.deploy.kubernetes.cluster.Fields;
import dev.millrace.deploy.kubernetes.cluster.Owned;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What operators made of a stack's objects: told by labels that are handed down, or by what it says it was made of, which are the
 * stack's objects as they are when first asked for. Used by one thread.
 */
public final class MadeObjects {
    private final ClusterStack stack;
    private final Needs needs;
    private final KubernetesClient client;
    private final Map<Needs.Made, Set<String>> sources = new HashMap<>();

    public MadeObjects(ClusterStack stack, Needs needs) {
        this.stack = stack;
        this.needs = needs;
        this.client = stack.cluster().client();
    }

    /** Claims that may be of the stack: whether they are is {@link #isOf}. */
    List<PersistentVolumeClaim> claims() {
        return selectors()
                .flatMap(selector -> client
                        .persistentVolumeClaims()
                        .inNamespace(stack.namespace())
                        .withLabelSelector(selector)
                        .list()
                        .getItems()
                        .stream())
                .toList();
    }

    List<Pod> pods() {
        return selectors()
                .flatMap(selector ->
                        client
                                .pods()
                                .inNamespace(stack.namespace())
                                .withLabelSelector(selector)
                                .list()
                                .getItems()
                                .stream())
                .filter(this::isOf)
                .toList();
    }

    /** Objects that go with none of the stack's, as far as one may see them: nothing but what they say binds them to it. */
    List<GenericKubernetesResource> leftBehind() {
        return needs.made().stream()
                .filter(kind -> Definitions.serves(client, kind.context()))
                .flatMap(kind -> Cluster.visible(() -> client.genericKubernetesResources(kind.context())
                                .inNamespace(stack.namespace())
                                .list()
                                .getItems())
                        .stream())
                .filter(this::isOf)
                .toList();
    }

    /**
     * Whether an object of the stack's namespace was made of one of the stack's. An operator gives what it makes the labels of the object that it makes
     * it of, but for the one that says who manages it; or it has it say what that was.
     */
    public boolean isOf(HasMetadata object) {
        Map<String, String> labels = object.getMetadata().getLabels();
        return labels != null && stack.broker().equals(labels.get(Owned.STACK))
                || object instanceof GenericKubernetesResource generic
                        && needs.made().stream()
                                .anyMatch(kind -> kind.kind().equals(generic.getKind()) && isOf(kind, generic));
    }

    private boolean isOf(Needs.Made kind, GenericKubernetesResource object) {
        return kind.of().equals(Fields.text(object, kind.reference() + ".kind"))
                && sources.computeIfAbsent(kind, this::names).contains(Fields.text(object, kind.reference() + ".name"));
    }

    /** Of the stack's objects that such may be made of. */
    private Set<String> names(Needs.Made kind) {
        return needs.definition(kind.of()).stream()
                .flatMap(one -> Stages.objects(stack, one).stream())
                .map(one -> one.getMetadata().getName())
                .collect(Collectors.toSet());
    }

    /** Of what operators make; what a person's release made is the person's. */
    private Stream<String> selectors() {
        return needs.left().isEmpty() ? needs.selectors().stream() : Stream.empty();
    }
}
