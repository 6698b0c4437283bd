package dev.millrace.deploy.kubernetes.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.UserException;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.FieldValidateable.Validation;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What applying objects would do, one by one, and doing it: by server-side apply, with every field checked. Used by one thread. */
public final class ObjectPlan {
    public static final String FIELD_MANAGER = "millrace";
    private static final int CONFLICT = 409;
    private static final int SHOWN = 8;
    /** The server's own business. */
    private static final List<String> METADATA =
            List.of("managedFields", "resourceVersion", "generation", "creationTimestamp", "uid");

    /** What becomes of an object. */
    public enum Effect {
        CREATE("+"),
        CHANGE("~"),
        SAME("=");

        private final String sign;

        Effect(String sign) {
            this.sign = sign;
        }
    }

    /**
     * One object.
     *
     * @param differences fields that change, each with its old and new value; of a new object none
     * @param live as it is on the cluster; empty for a new one
     */
    public record Step(
            Effect effect,
            GenericKubernetesResource object,
            List<String> differences,
            Optional<GenericKubernetesResource> live) {

        private static Step create(GenericKubernetesResource object) {
            return new Step(Effect.CREATE, object, List.of(), Optional.empty());
        }

        public List<String> lines() {
            List<String> lines = new ArrayList<>();
            lines.add(effect.sign + " " + Owned.name(object));
            differences.stream().limit(SHOWN).forEach(difference -> lines.add("    " + difference));
            if (differences.size() > SHOWN) {
                lines.add("    and " + (differences.size() - SHOWN) + " more");
            }
            return lines;
        }
    }

    private final KubernetesClient client;
    private final String broker;
    private final boolean takesConflicts;
    private final List<Step> steps = new ArrayList<>();

    /** @param takesConflicts whether fields that somebody else has set since are set back */
    public ObjectPlan(KubernetesClient client, String broker, boolean takesConflicts) {
        this.client = client;
        this.broker = broker;
        this.takesConflicts = takesConflicts;
    }

    /**
     * Compares; objects of that name that this tool did not make are refused, all at once.
     *
     * @param namespaceIsThere without it the server cannot be asked what it thinks of new objects
     */
    public ObjectPlan look(List<GenericKubernetesResource> objects, boolean namespaceIsThere) {
        return look(objects, namespaceIsThere, Set.of());
    }

    /** @param unknown kinds that the cluster does not know yet: their objects are new, and nobody can be asked of them */
    public ObjectPlan look(List<GenericKubernetesResource> objects, boolean namespaceIsThere, Set<String> unknown) {
        List<String> foreign = new ArrayList<>();
        List<String> refused = new ArrayList<>();
        for (GenericKubernetesResource object : objects) {
            if (unknown.contains(object.getKind())) {
                steps.add(Step.create(object));
                continue;
            }
            HasMetadata here = client.resource(object).get();
            if (here == null) {
                if (namespaceIsThere) {
                    check(object, refused);
                }
                steps.add(Step.create(object));
            } else if (!Owned.is(here, broker)) {
                foreign.add(Owned.name(object));
            } else {
                steps.add(compare(object, here, refused));
            }
        }
        if (!foreign.isEmpty()) {
            throw new UserException(
                    "in namespace " + objects.get(0).getMetadata().getNamespace()
                            + " there is already, not made by this tool: " + String.join(", ", foreign)
                            + "; it is left alone, so choose another one with --namespace");
        }
        if (!refused.isEmpty()) {
            throw new EnvironmentException("the cluster refuses: " + String.join("; ", refused));
        }
        return this;
    }

    private void check(GenericKubernetesResource object, List<String> refused) {
        try {
            applied(object, true);
        } catch (KubernetesClientException e) {
            refused.add(sentence(object, e));
        }
    }

    private Step compare(GenericKubernetesResource object, HasMetadata here, List<String> refused) {
        Optional<GenericKubernetesResource> live =
                Optional.of(Serialization.unmarshal(Serialization.asJson(here), GenericKubernetesResource.class));
        try {
            List<String> differences = new ArrayList<>();
            differences("", tree(here), tree(applied(object, true)), differences);
            return new Step(differences.isEmpty() ? Effect.SAME : Effect.CHANGE, object, differences, live);
        } catch (KubernetesClientException e) {
            refused.add(sentence(object, e));
            return new Step(Effect.CHANGE, object, List.of(), live);
        }
    }

    public List<Step> steps() {
        return steps;
    }

    /** Applies one after the other; every step is repeatable. */
    public void apply() {
        apply(object -> true);
    }

    /** Only some of them. */
    public void apply(Predicate<GenericKubernetesResource> which) {
        for (Step step : steps) {
            if (step.effect() == Effect.SAME || !which.test(step.object())) {
                continue;
            }
            try {
                applied(step.object(), false);
            } catch (KubernetesClientException e) {
                throw new EnvironmentException("the cluster refuses: " + sentence(step.object(), e), e);
            }
        }
    }

    private HasMetadata applied(GenericKubernetesResource object, boolean dryRun) {
        // The call writes the answer into what it is given.
        GenericKubernetesResource copy =
                Serialization.unmarshal(Serialization.asJson(object), GenericKubernetesResource.class);
        var resource = client.resource(copy)
                .dryRun(dryRun)
                .fieldValidation(Validation.STRICT)
                .fieldManager(FIELD_MANAGER);
        return (takesConflicts ? resource.forceConflicts() : resource).serverSideApply();
    }

    private static String sentence(GenericKubernetesResource object, KubernetesClientException e) {
        String said = Owned.name(object) + ": " + Cluster.said(e);
        return e.getCode() == CONFLICT
                ? said + " (somebody else has set these fields since; --force-conflicts sets them back)"
                : said;
    }

    private static JsonNode tree(HasMetadata object) {
        ObjectNode tree = Serialization.unmarshal(Serialization.asJson(object), ObjectNode.class);
        tree.remove("status");
        if (tree.get("metadata") instanceof ObjectNode metadata) {
            metadata.remove(METADATA);
        }
        return tree;
    }

    /** Fields below {@code path} whose values are not the same. */
    static void differences(String path, @Nullable JsonNode here, @Nullable JsonNode there, List<String> found) {
        if (here != null && here.equals(there)) {
            return;
        }
        if (here instanceof ObjectNode && there instanceof ObjectNode) {
            Set<String> names = new TreeSet<>();
            here.fieldNames().forEachRemaining(names::add);
            there.fieldNames().forEachRemaining(names::add);
            names.forEach(name ->
                    differences(path.isEmpty() ? name : path + "." + name, here.get(name), there.get(name), found));
        } else if (here != null && there != null && here.isArray() && there.isArray() && here.size() == there.size()) {
            Iterator<JsonNode> mine = here.elements();
            Iterator<JsonNode> other = there.elements();
            for (int i = 0; mine.hasNext(); i++) {
                differences(path + "[" + i + "]", mine.next(), other.next(), found);
            }
        } else {
            found.add(path + ": " + text(here) + " -> " + text(there));
        }
    }

    private static String text(@Nullable JsonNode node) {
        if (node == null) {
            return "(not set)";
        }
        String text = node.isTextual() ? node.asText() : node.toString();
        return text.length() > 100 ? text.substring(0, 97) + "..." : text;
    }
}
