package dev.millrace.deploy.kubernetes.production;

import dev.millrace.core.settings.Values;
import dev.millrace.deploy.kubernetes.cluster.ClusterStack;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the job is told in {@code job.properties} and all that look at it in {@code stack.properties}: an audit that goes by another window
 * or another store finds every row wrong. Stateless.
 */
public final class ToldAlike {
    /** Keys of {@code stack.properties}, and what the job calls them. */
    public static final Map<String, String> KEYS = keys();

    private ToldAlike() {}

    private static Map<String, String> keys() {
        Map<String, String> keys = new TreeMap<>(Map.of("store-url", "store.url", "store-database", "store.database"));
        for (String both : List.of(
                "window",
                "slide",
                "out-of-orderness",
                "parallelism",
                "store",
                "store.cluster",
                "store.user",
                "store.password-file",
                "store.ca-file",
                "store.retention")) {
            keys.put(both, both);
        }
        return keys;
    }

    /** Of what is to be applied; none where one of the two is not there, which others say. */
    static List<String> problems(List<GenericKubernetesResource> objects) {
        String stack = SettingsMap.files(objects, SettingsMap.STACK).get(SettingsMap.STACK_FILE);
        String job = SettingsMap.files(objects, SettingsMap.JOB).get(SettingsMap.JOB_FILE);
        return stack == null || job == null
                ? List.of()
                : problems(ClusterStack.values(stack), ClusterStack.values(job));
    }

    /** A sentence for each that is not; a key that is in one file alone is not, either. */
    static List<String> problems(Map<String, String> stack, Map<String, String> job) {
        List<String> problems = new ArrayList<>();
        KEYS.forEach((key, ofJob) -> {
            String said = stack.getOrDefault(key, "");
            String told = job.getOrDefault(ofJob, "");
            if (!isSame(said, told)) {
                problems.add("stack.properties has " + line(key, said) + " and job.properties has " + line(ofJob, told)
                        + "; the job, and all that look at it, must be told the same");
            }
        });
        return problems;
    }

    private static String line(String key, String value) {
        return value.isEmpty() ? "no " + key : key + "=" + value;
    }

    private static boolean isSame(String one, String other) {
        return one.equals(other) || (!one.isEmpty() && !other.isEmpty() && isSameTime(one, other));
    }

    private static boolean isSameTime(String one, String other) {
        try {
            return Values.duration(one).equals(Values.duration(other));
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
