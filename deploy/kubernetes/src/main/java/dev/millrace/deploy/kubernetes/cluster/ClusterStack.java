package dev.millrace.deploy.kubernetes.cluster;

import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.Options;
import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.local.StackSettings;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.ExecWatch;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;

/**
 * One stack on a cluster, by where it is. Thread-safe.
 *
 * @param broker its name
 */
public record ClusterStack(Cluster cluster, String namespace, String broker) {
    public static final String GENERATOR = "generator";
    static final String JOB_MANAGER = "jobmanager";
    /** The sizes there are: this one of plain pods, and that of a production shape, which operators make. */
    public static final String TINY = "tiny";

    public static final String PRODUCTION = "c5-i7i";
    public static final String SIZE_LABEL = "millrace.dev/size";
    private static final String SETTINGS = "stack.properties";

    private KubernetesClient client() {
        return cluster.client();
    }

    /**
     * The settings that it was last brought up with, also when of it only the volumes are left: they belong to these. Empty when there
     * is none.
     */
    public Optional<StackSettings> settings() {
        return settingsMap().map(this::settings);
    }

    /** Where they stand: what the job has, or what a stop left of it. */
    public Optional<ConfigMap> settingsMap() {
        StatefulSet set = client().apps()
                .statefulSets()
                .inNamespace(namespace)
                .withName(JOB_MANAGER)
                .get();
        if (set == null || !Owned.is(set, broker)) {
            return client()
                    .configMaps()
                    .inNamespace(namespace)
                    .withLabels(Owned.labels(broker))
                    .list()
                    .getItems()
                    .stream()
                    .filter(ClusterStack::hasSettings)
                    .max(Comparator.comparing(map -> map.getMetadata().getCreationTimestamp()));
        }
        return set.getSpec().getTemplate().getSpec().getVolumes().stream()
                .filter(volume -> volume.getProjected() != null)
                .flatMap(volume -> volume.getProjected().getSources().stream())
                .filter(source -> source.getConfigMap() != null)
                .map(source -> source.getConfigMap().getName())
                .map(name -> client().configMaps()
                        .inNamespace(namespace)
                        .withName(name)
                        .get())
                .filter(map -> map != null && hasSettings(map))
                .findFirst();
    }

    private static boolean hasSettings(ConfigMap map) {
        return map.getData() != null && map.getData().containsKey(SETTINGS);
    }

    /** Of which size the stack is that is there; empty when there is none. */
    public Optional<String> size() {
        return client()
                .apps()
                .statefulSets()
                .inNamespace(namespace)
                .withLabels(Owned.labels(broker))
                .list()
                .getItems()
                .stream()
                .map(set -> set.getMetadata().getLabels().getOrDefault(SIZE_LABEL, TINY))
                .findFirst();
    }

    /** Throws UserException when there is a stack of another size. */
    public void refuseOtherSize(String wanted) {
        size().filter(there -> !there.equals(wanted)).ifPresent(there -> {
            throw inTheWay("a stack of size " + there);
        });
    }

    /** @param what is there, and would be mixed up with what is to come */
    public UserException inTheWay(String what) {
        return new UserException("in namespace " + namespace + " there is " + what
                + "; take it down first (millrace down " + arguments() + " --data), or choose another --namespace");
    }

    public boolean isProduction() {
        return size().filter(PRODUCTION::equals).isPresent();
    }

    private StackSettings settings(ConfigMap map) {
        return settings(
                "ConfigMap " + map.getMetadata().getName() + " in " + namespace,
                map.getData().get(SETTINGS));
    }

    /**
     * The settings of a stack as a ConfigMap has them.
     *
     * @param where they stand, for sentences
     */
    public static StackSettings settings(String where, String text) {
        return StackSettings.bind(where, Options.of(values(text)));
    }

    /** What a file of settings says, by key. */
    public static Map<String, String> values(String text) {
        Properties properties = new Properties();
        try {
            properties.load(new StringReader(text));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        Map<String, String> values = new TreeMap<>();
        properties.forEach(
                (key, value) -> values.put(key.toString(), value.toString().trim()));
        return values;
    }

    /** Its pods, sorted by name. */
    public List<Pod> pods() {
        return client().pods().inNamespace(namespace).withLabels(Owned.labels(broker)).list().getItems().stream()
                .sorted(Comparator.comparing(pod -> pod.getMetadata().getName()))
                .toList();
    }

    /**
     * Runs a verb of this machine in the stack's own pod, beside its ledger.
     *
     * @return its exit code
     */
    public int run(List<String> verb, OutputStream out, OutputStream err) {
        return run(generators().get(0), verb, out, err);
    }

    /** The pods in which generators run, by name; none is an EnvironmentException. */
    List<String> generators() {
        List<String> running = pods().stream()
                .filter(ClusterStack::generates)
                .map(one -> one.getMetadata().getName())
                .toList();
        if (running.isEmpty()) {
            throw new EnvironmentException("the generator's pod in " + namespace
                    + " does not run, and it has what this command looks at; 'millrace status' shows the pods");
        }
        return running;
    }

    /** As {@link #generators}, and all that there should be: one that is missing would go unaudited, or unsteered, without a word. */
    public List<String> allGenerators() {
        List<String> running = generators();
        StatefulSet set = client().apps()
                .statefulSets()
                .inNamespace(namespace)
                .withName(GENERATOR)
                .get();
        int wanted = set == null
                ? 1
                : Optional.ofNullable(set.getSpec().getReplicas()).orElse(1);
        if (running.size() < wanted) {
            throw new EnvironmentException("of " + wanted + " generators in " + namespace + " " + running.size()
                    + " run, and each has devices and a ledger of its own; 'millrace status' shows the pods");
        }
        return running;
    }

    /** As {@link #run(List, OutputStream, OutputStream)}, in one pod of the generator's. */
    public int run(String pod, List<String> verb, OutputStream out, OutputStream err) {
        List<String> command = new ArrayList<>(List.of("java", "@/opt/millrace/java.args"));
        command.addAll(verb);
        command.addAll(List.of("--run-dir", "/run/millrace"));
        try (ExecWatch exec = client().pods()
                .inNamespace(namespace)
                .withName(pod)
                .inContainer(GENERATOR)
                .writingOutput(out)
                .writingError(err)
                .exec(command.toArray(String[]::new))) {
            Integer code = exec.exitCode().get();
            if (code == null || code < 0) {
                throw new EnvironmentException("the connection to pod " + pod + " in " + namespace + " broke off");
            }
            return code;
        } catch (ExecutionException e) {
            throw new EnvironmentException(
                    "cannot run a command in pod " + pod + " in " + namespace + ": " + e.getCause(), e);
        } catch (KubernetesClientException e) {
            throw new EnvironmentException(
                    "cannot run a command in pod " + pod + " in " + namespace + ": " + Cluster.said(e)
                            + "; its node may be gone, or you may not (pods/exec)",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EnvironmentException("interrupted", e);
        }
    }

    /** Whether the generator runs in it: the pod in which the verbs run, for it has the ledger. */
    private static boolean generates(Pod pod) {
        return Stream.of(pod.getStatus().getContainerStatuses(), pod.getStatus().getInitContainerStatuses())
                .flatMap(List::stream)
                .anyMatch(status -> status.getName().equals(GENERATOR)
                        && status.getState() != null
                        && status.getState().getRunning() != null);
    }

    /** As the end of a sentence with a command: how people name this stack. */
    public String arguments() {
        return "--target kubernetes --context " + cluster.context() + " --broker " + broker
                + (namespace.equals(usualNamespace(broker)) ? "" : " --namespace " + namespace);
    }

    /** Where a broker's stack is unless another namespace is named. */
    public static String usualNamespace(String broker) {
        return "millrace-" + broker;
    }
}
