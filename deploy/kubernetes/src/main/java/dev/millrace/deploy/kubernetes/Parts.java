package dev.millrace.deploy.kubernetes;

import dev.millrace.core.settings.Suggestion;
import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.local.StackState;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The pods of a stack, by the parts that people name: those that this machine has too, and what the pods' labels say besides. Immutable.
 *
 * @param broker its name, which means the part {@code broker} too
 * @param pods all of them, with labels
 */
record Parts(String broker, List<Pod> pods) {
    private static final String NAME = "app.kubernetes.io/name";
    /** What tells pods apart that have one name, or none: those that Flink makes, and charts. */
    private static final String COMPONENT = "component";

    /**
     * Those of a part; none is a UserException.
     *
     * @param part null means all, of which there may be none
     */
    List<Pod> of(@Nullable String part) {
        if (part == null) {
            return pods;
        }
        List<Pod> meant = pods.stream().filter(pod -> names(pod).contains(part)).toList();
        if (meant.isEmpty()) {
            TreeSet<String> known = new TreeSet<>();
            pods.forEach(pod -> known.addAll(names(pod)));
            throw new UserException("there is no pod of '" + part + "'" + Suggestion.didYouMean(part, known)
                    + (known.isEmpty() ? "; the stack has none" : "; there are: " + String.join(", ", known)));
        }
        return meant;
    }

    /**
     * The only one of a part; none or more is a UserException.
     *
     * @param part null means all
     * @param command what follows one of several, for the sentence
     */
    Pod only(@Nullable String part, String command) {
        List<Pod> meant = of(part);
        if (meant.isEmpty()) {
            throw new UserException("there is no pod to follow");
        }
        if (meant.size() > 1) {
            throw new UserException("--follow shows one pod, and there are " + meant.size()
                    + (part == null ? "" : " of '" + part + "'") + ": "
                    + meant.stream().map(pod -> pod.getMetadata().getName()).collect(Collectors.joining(", ")) + "; "
                    + (part == null ? "name a part that has one, or " : "") + "follow one with " + command);
        }
        return meant.get(0);
    }

    /** The one that is called as the part; in pods of operators and charts the first. */
    String container(Pod pod) {
        List<String> all =
                pod.getSpec().getContainers().stream().map(Container::getName).toList();
        return all.stream().filter(names(pod)::contains).findFirst().orElse(all.get(0));
    }

    private Set<String> names(Pod pod) {
        Map<String, String> labels = pod.getMetadata().getLabels();
        Set<String> names = Stream.of(NAME, COMPONENT)
                .map(labels::get)
                .filter(Objects::nonNull)
                .collect(Collectors.toCollection(LinkedHashSet::new));
        if (names.contains(broker) || names.contains(StackState.BROKER)) {
            names.addAll(List.of(broker, StackState.BROKER));
        }
        return names;
    }
}
