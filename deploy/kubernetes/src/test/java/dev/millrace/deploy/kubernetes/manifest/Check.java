package dev.millrace.deploy.kubernetes.manifest;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** All that can be found in manifests without a cluster. */
final class Check {
    static final List<Rule> RULES = List.of(
            new Schema(),
            new KustomizationRule(),
            new ReferenceRule(),
            new SelectorRule(),
            new PortRule(),
            new PodSecurityRule(),
            new ProgramRule(),
            new SettingsRule());

    private Check() {}

    /** What is wrong in any stack; what several share is named once. */
    static List<Finding> of(Manifests manifests) {
        Set<Finding> found = new LinkedHashSet<>(manifests.unreadable());
        manifests.overlays().forEach(overlay -> found.addAll(of(Stack.of(manifests, overlay))));
        return List.copyOf(found);
    }

    /** The same, one by one, of those stacks only that a file is in. */
    static Stream<Finding> of(Manifests manifests, String file) {
        return manifests.overlays().stream()
                .filter(overlay -> file.startsWith(Manifests.BASE + "/")
                        || Stack.parent(file).equals(overlay))
                .map(overlay -> Stack.of(manifests, overlay))
                .flatMap(stack -> RULES.stream().flatMap(rule -> of(stack, rule).stream()));
    }

    static List<Finding> of(Stack stack) {
        return RULES.stream().flatMap(rule -> of(stack, rule).stream()).toList();
    }

    private static List<Finding> of(Stack stack, Rule rule) {
        List<Finding> found = new ArrayList<>();
        rule.check(stack, found::add);
        return found;
    }
}
