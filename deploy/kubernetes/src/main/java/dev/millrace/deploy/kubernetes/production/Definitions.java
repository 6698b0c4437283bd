package dev.millrace.deploy.kubernetes.production;

import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.kubernetes.cluster.Cluster;
import dev.millrace.deploy.kubernetes.cluster.ClusterStack;
import dev.millrace.deploy.kubernetes.cluster.ObjectPlan;
import dev.millrace.deploy.kubernetes.cluster.Owned;
import dev.millrace.deploy.kubernetes.stack.StackManifests;
import io.fabric8.kubernetes.api.model.APIResourceList;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.CustomResourceDefinitionContext;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * CustomResourceDefinitions. They belong to everybody on a cluster, and with one go all objects of its kind: what is there is used as found, what
 * was made from files that a person gave is marked, and only what is marked and unused is ever deleted. Used by one thread.
 */
public final class Definitions {
    private static final String KIND = "CustomResourceDefinition";
    private static final Duration BOUND = Duration.ofMinutes(1);
    private static final Duration LOOK = Duration.ofMillis(300);
    private static final int SHOWN = 5;

    private final KubernetesClient client;

    public Definitions(KubernetesClient client) {
        this.client = client;
    }

    /** Whether a cluster knows a kind in the version that is used; everybody may ask for that, also who may not see definitions. */
    public static boolean serves(KubernetesClient client, ResourceDefinitionContext kind) {
        APIResourceList there = client.getApiResources(kind.getGroup() + "/" + kind.getVersion());
        return there != null
                && there.getResources().stream().anyMatch(one -> one.getName().equals(kind.getPlural()));
    }

    /** Those in a file, or in the files of a folder; what else is in them is left out. */
    static List<GenericKubernetesResource> read(Path place) {
        try (Stream<Path> files = Files.isDirectory(place) ? Files.list(place) : Stream.of(place)) {
            List<GenericKubernetesResource> all = new ArrayList<>();
            for (Path file : files.filter(one -> one.toString().matches(".*\\.(yaml|yml|json)"))
                    .sorted()
                    .toList()) {
                StackManifests.parse(Files.readString(file)).stream()
                        .filter(object -> KIND.equals(object.getKind()))
                        .forEach(all::add);
            }
            if (all.isEmpty()) {
                throw new UserException("there is no " + KIND + " in " + place
                        + "; --crds names a YAML or JSON file, or a" + " folder of them");
            }
            return all;
        } catch (IOException e) {
            throw new UserException("cannot read " + place + ": " + e.getMessage());
        }
    }

    /** Of those that are given, the ones that are not there: none is ever upgraded. */
    List<GenericKubernetesResource> missing(List<GenericKubernetesResource> given) {
        return given.stream()
                .filter(one -> client.apiextensions()
                                .v1()
                                .customResourceDefinitions()
                                .withName(one.getMetadata().getName())
                                .get()
                        == null)
                .toList();
    }

    /** Marks them as ours, applies them, and waits until the cluster serves them. */
    void apply(List<GenericKubernetesResource> definitions) {
        for (GenericKubernetesResource one : definitions) {
            GenericKubernetesResource copy =
                    Serialization.unmarshal(Serialization.asJson(one), GenericKubernetesResource.class);
            Map<String, String> labels = new TreeMap<>();
            if (copy.getMetadata().getLabels() != null) {
                labels.putAll(copy.getMetadata().getLabels());
            }
            labels.put(Owned.MANAGER, Owned.MILLRACE);
            copy.getMetadata().setLabels(labels);
            try {
                client.resource(copy)
                        .fieldManager(ObjectPlan.FIELD_MANAGER)
                        .forceConflicts()
                        .serverSideApply();
            } catch (KubernetesClientException e) {
                throw new EnvironmentException("the cluster refuses " + Owned.name(one) + ": " + Cluster.said(e), e);
            }
        }
        long deadline = System.nanoTime() + BOUND.toNanos();
        for (GenericKubernetesResource one : definitions) {
            while (!isEstablished(one.getMetadata().getName())) {
                if (System.nanoTime() > deadline) {
                    throw new EnvironmentException(
                            Owned.name(one) + " is not served within " + BOUND.toSeconds() + " s");
                }
                LockSupport.parkNanos(LOOK.toNanos());
            }
        }
    }

    private boolean isEstablished(String name) {
        CustomResourceDefinition there = client.apiextensions()
                .v1()
                .customResourceDefinitions()
                .withName(name)
                .get();
        return there != null
                && there.getStatus() != null
                && there.getStatus().getConditions() != null
                && there.getStatus().getConditions().stream()
                        .anyMatch(one -> one.getType().equals("Established")
                                && one.getStatus().equals("True"));
    }

    /** Those that this tool made. */
    public List<CustomResourceDefinition> ours() {
        return client.apiextensions()
                .v1()
                .customResourceDefinitions()
                .withLabel(Owned.MANAGER, Owned.MILLRACE)
                .list()
                .getItems();
    }

    /**
     * Refuses with a sentence while there are objects of these kinds, in any namespace, that are not of this stack.
     *
     * @param made whether an object of the stack's namespace is one that an operator made of the stack's
     */
    public void refuseUsed(
            List<CustomResourceDefinition> definitions, ClusterStack stack, Predicate<HasMetadata> made) {
        List<String> used = new ArrayList<>();
        for (CustomResourceDefinition one : definitions) {
            List<String> others = client
                    .genericKubernetesResources(CustomResourceDefinitionContext.fromCrd(one))
                    .inAnyNamespace()
                    .list()
                    .getItems()
                    .stream()
                    .filter(object ->
                            !stack.namespace().equals(object.getMetadata().getNamespace())
                                    || !Owned.is(object, stack.broker()) && !made.test(object))
                    .map(object -> object.getMetadata().getNamespace() + "/"
                            + object.getMetadata().getName())
                    .toList();
            if (!others.isEmpty()) {
                used.add(one.getMetadata().getName() + " has "
                        + String.join(", ", others.stream().limit(SHOWN).toList())
                        + (others.size() > SHOWN ? " and " + (others.size() - SHOWN) + " more" : ""));
            }
        }
        if (!used.isEmpty()) {
            throw new UserException(
                    "--crds is refused, and nothing was removed: with a definition go all objects of its kind,"
                            + " and others use these: " + String.join("; ", used) + "; leave --crds out");
        }
    }

    public void delete(List<CustomResourceDefinition> definitions) {
        definitions.forEach(one -> client.resource(one).delete());
    }
}
