package dev.millrace.deploy.kubernetes;

import dev.millrace.deploy.kubernetes.cluster.ClusterStack;
import java.util.List;

/**
 * What a {@code down} did.
 *
 * @param removed how many objects
 * @param stay objects of operators that are left, by kind and name: what runs for them runs on
 * @param volumes how many are left
 * @param settingsToo whether their settings stay with them; those of the production shape stand in files
 */
record Downed(ClusterStack stack, int removed, List<String> stay, int volumes, boolean settingsToo) {
    /** In one sentence or two; that there is no stack only where nothing of one is left. */
    String says() {
        String place =
                "namespace " + stack.namespace() + " on " + stack.cluster().context();
        if (removed > 0) {
            return "The stack of " + stack.broker() + " is down: " + removed + " objects removed from " + place + "."
                    + (volumes > 0
                            ? " Its " + kept() + " stay: up goes on from them, and this deletes them: millrace down "
                                    + stack.arguments() + " --data"
                            : "");
        }
        if (volumes == 0 && stay.isEmpty()) {
            return "There is no stack of " + stack.broker() + " in " + place + "; nothing to do.";
        }
        return "The stack of " + stack.broker() + " in " + place + " is down already."
                + (stay.isEmpty()
                        ? ""
                        : " " + String.join(", ", stay) + " stay, and what their operators run for them runs on.")
                + (volumes > 0 ? " Its " + kept() + " stay." : "")
                + " up goes on from that, and this deletes it: millrace down " + stack.arguments() + " --data";
    }

    private String kept() {
        return volumes + " volumes" + (settingsToo ? ", their Secrets and settings" : " and their Secrets");
    }
}
