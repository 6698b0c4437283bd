package dev.millrace.deploy.kubernetes.production;

import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.kubernetes.cluster.ClusterStack;
import dev.millrace.deploy.local.Installation;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a cluster must have for the production shape, in what order its objects are applied and what is waited for: {@code needs.yaml}, the
 * neutral one and the broker's. So no operator of a broker is named in code. Immutable.
 *
 * @param definitions kinds that operators bring
 * @param installed what runs the objects of these kinds
 * @param workloads of ours, that are waited for
 * @param pods what objects of these kinds take on nodes
 * @param made kinds of objects that an operator makes of the stack's and leaves when these go
 * @param selectors labels of pods and claims that an operator makes of the stack's objects
 * @param left what a person runs to remove what no {@code up} made
 */
public record Needs(
        List<Definition> definitions,
        List<Installed> installed,
        List<Workload> workloads,
        List<PodsOf> pods,
        List<Made> made,
        List<String> selectors,
        List<String> left) {
    /** The order in which objects are applied; each is ready before the next. What names none of these is of the first. */
    public static final List<String> STAGES = List.of("base", "broker", "topic", "user", "store", "job", "load");

    private static final String FILE = "needs.yaml";
    private static final int MINUTES = 10;

    /**
     * A kind.
     *
     * @param name of its CustomResourceDefinition
     * @param stage when its objects are applied; of a kind that the stack has no objects of, none
     * @param data whether data are bound to its objects
     * @param until what its objects say of themselves when they are ready
     * @param says where they say what is wrong
     */
    public record Definition(
            String name,
            String version,
            String kind,
            @Nullable String stage,
            @Nullable Integer minutes,
            boolean data,
            @Nullable List<Until> until,
            @Nullable String says) {

        public ResourceDefinitionContext context() {
            return Needs.context(name, version, kind);
        }

        int minutesMax() {
            return minutes == null ? MINUTES : minutes;
        }
    }

    /** A condition that must be true, or a field with its value. */
    public record Until(@Nullable String condition, @Nullable String field, @Nullable String is) {}

    /**
     * What runs there already.
     *
     * @param kind Deployment or StatefulSet
     * @param beside in the stack's namespace, not in any
     * @param tried the version that this size was made with
     * @param by the commands that install it
     * @param onEachBroker those of the names that have a pod on each broker node
     */
    public record Installed(
            String what,
            String kind,
            List<String> names,
            boolean beside,
            String tried,
            List<String> by,
            @Nullable List<String> onEachBroker) {}

    /** StatefulSets of ours. */
    public record Workload(String stage, List<String> names, int minutes) {}

    /**
     * Pods that an operator makes of an object; each value is a path of fields.
     *
     * @param name of a sentence; without it the object's
     * @param slots by what the replicas are divided
     * @param claims a list of volumes, each with a size and a class
     * @param grown what has to be known when there are more of them than before
     */
    public record PodsOf(
            String kind,
            @Nullable String name,
            @Nullable String replicas,
            @Nullable String slots,
            String resources,
            String where,
            @Nullable String claims,
            @Nullable String grown) {}

    /**
     * A kind of objects that an operator makes of the stack's.
     *
     * @param name of its CustomResourceDefinition
     * @param of the kind of what they are made of
     * @param reference where they say which one, by kind and name; in the same namespace
     */
    public record Made(String name, String version, String kind, String of, String reference) {
        ResourceDefinitionContext context() {
            return Needs.context(name, version, kind);
        }
    }

    /** One file. */
    private record Document(
            @Nullable List<Definition> definitions,
            @Nullable List<Installed> installed,
            @Nullable List<Workload> workloads,
            @Nullable List<PodsOf> pods,
            @Nullable List<Made> made,
            @Nullable String selector,
            @Nullable List<String> left) {}

    public static Path folder(Installation installation, String broker) {
        return installation
                .root()
                .resolve("brokers")
                .resolve(broker)
                .resolve("deploy/kubernetes/" + ClusterStack.PRODUCTION);
    }

    /** A broker that has no such size is one sentence. */
    public static Needs of(Installation installation, String broker) {
        return find(installation, broker)
                .orElseThrow(() -> new UserException("broker '" + broker + "' has no size " + ClusterStack.PRODUCTION
                        + " (there is no " + folder(installation, broker).resolve(FILE)
                        + "); it has the small one: leave --size out"));
    }

    /** Empty for a broker without this size. */
    public static Optional<Needs> find(Installation installation, String broker) {
        Path own = folder(installation, broker).resolve(FILE);
        if (!Files.isRegularFile(own)) {
            return Optional.empty();
        }
        Path neutral = installation
                .root()
                .resolve("deploy/kubernetes/" + ClusterStack.PRODUCTION)
                .resolve(FILE);
        List<Document> both = Stream.of(own, neutral).map(Needs::read).toList();
        Needs all = new Needs(
                new ArrayList<>(),
                new ArrayList<>(),
                new ArrayList<>(),
                new ArrayList<>(),
                new ArrayList<>(),
                new ArrayList<>(),
                new ArrayList<>());
        for (Document one : both) {
            all.definitions.addAll(orNone(one.definitions));
            all.installed.addAll(orNone(one.installed));
            all.workloads.addAll(orNone(one.workloads));
            all.pods.addAll(orNone(one.pods));
            all.made.addAll(orNone(one.made));
            Optional.ofNullable(one.selector).ifPresent(all.selectors::add);
            all.left.addAll(orNone(one.left));
        }
        return Optional.of(all);
    }

    private static ResourceDefinitionContext context(String name, String version, String kind) {
        int dot = name.indexOf('.');
        return new ResourceDefinitionContext.Builder()
                .withPlural(name.substring(0, dot))
                .withGroup(name.substring(dot + 1))
                .withVersion(version)
                .withKind(kind)
                .withNamespaced(true)
                .build();
    }

    private static Document read(Path file) {
        try {
            return Serialization.unmarshal(Files.readString(file), Document.class);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static <T> List<T> orNone(@Nullable List<T> list) {
        return list == null ? List.of() : list;
    }

    /** The kinds that a stack has objects of. */
    public List<Definition> own() {
        return definitions.stream().filter(one -> one.stage() != null).toList();
    }

    Optional<Definition> definition(String kind) {
        return definitions.stream().filter(one -> one.kind().equals(kind)).findFirst();
    }

    /** Of an object, by kind and name. */
    String stage(String kind, String name) {
        Optional<String> ofKind = definition(kind).map(Definition::stage);
        return ofKind.or(() -> workloads.stream()
                        .filter(one -> kind.equals("StatefulSet") && one.names().contains(name))
                        .map(Workload::stage)
                        .findFirst())
                .orElse(STAGES.get(0));
    }
}
