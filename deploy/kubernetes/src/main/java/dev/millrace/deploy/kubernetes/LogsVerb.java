package dev.millrace.deploy.kubernetes;

import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.Suggestion;
import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.command.Command;
import dev.millrace.deploy.command.LogsCommand;
import dev.millrace.deploy.command.Millrace;
import dev.millrace.deploy.kubernetes.cluster.Cluster;
import dev.millrace.deploy.kubernetes.cluster.ClusterStack;
import dev.millrace.deploy.kubernetes.production.Needs;
import dev.millrace.deploy.kubernetes.production.ProductionStatus;
import dev.millrace.deploy.local.Installation;
import dev.millrace.deploy.local.StackState;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.LogWatch;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code millrace logs --target kubernetes}. */
@CommandLine.Command(name = "logs", description = "Show the end of a part's log, or of every part's.")
final class LogsVerb implements Command {
    private static final String NAME = "app.kubernetes.io/name";
    /** Of pods that a chart makes. */
    private static final String COMPONENT = "component";

    @CommandLine.Spec
    CommandLine.Model.CommandSpec spec;

    @Mixin
    Place place;

    @Parameters(
            arity = "0..1",
            paramLabel = "PART",
            description = "broker (or its name), store, jobmanager, taskmanager or generator (default: all)")
    @Nullable
    String part;

    @Option(names = "--lines", paramLabel = "N", description = "how many lines of each (default: 20)")
    int lines = 20;

    @Option(names = "--previous", description = "of the container before its last restart")
    boolean previous;

    @Option(
            names = {"-f", "--follow"},
            description = "go on showing what is added, until Ctrl-C; of one part")
    boolean follow;

    @Override
    public Integer call() throws IOException {
        LogsCommand.requireLines(lines);
        if (follow && previous) {
            throw new UserException(
                    "--follow and --previous exclude each other: a container that has ended says nothing more");
        }
        PrintWriter out = spec.commandLine().getOut();
        try (Cluster cluster = place.connect()) {
            ClusterStack stack = place.stack(cluster);
            List<Pod> pods = pods(stack);
            if (follow && pods.size() != 1) {
                throw new UserException("--follow shows one part; name it");
            }
            if (follow) {
                follow(stack, pods.get(0), out);
                return Millrace.OK;
            }
            List<String> unreadable = new ArrayList<>();
            for (Pod pod : pods) {
                String prefix = pods.size() == 1 ? "" : pod.getMetadata().getName() + " | ";
                show(stack, pod, prefix, out).ifPresent(unreadable::add);
            }
            if (!unreadable.isEmpty() && unreadable.size() == pods.size()) {
                throw new EnvironmentException("no log can be read: " + unreadable.get(0));
            }
        }
        return Millrace.OK;
    }

    private List<Pod> pods(ClusterStack stack) {
        List<Pod> all = stack.isProduction()
                ? ProductionStatus.pods(stack, Needs.of(Installation.here(), stack.broker()))
                : stack.pods();
        if (part == null) {
            return all;
        }
        String named = part.equals(StackState.BROKER) ? stack.broker() : part;
        List<Pod> meant = all.stream().filter(pod -> named.equals(name(pod))).toList();
        if (meant.isEmpty()) {
            TreeSet<String> known =
                    new TreeSet<>(all.stream().map(LogsVerb::name).toList());
            throw new UserException("there is no pod of '" + part + "'"
                    + Suggestion.didYouMean(part, known)
                    + "; there are: " + String.join(", ", known));
        }
        return meant;
    }

    private static String name(Pod pod) {
        Map<String, String> labels = pod.getMetadata().getLabels();
        return labels.getOrDefault(NAME, labels.getOrDefault(COMPONENT, ""));
    }

    /** The one that is called as the part; in pods of operators and charts the first. */
    private static String container(Pod pod) {
        List<String> all =
                pod.getSpec().getContainers().stream().map(Container::getName).toList();
        return all.contains(name(pod)) ? name(pod) : all.get(0);
    }

    /** Gives why there is nothing to show. */
    private Optional<String> show(ClusterStack stack, Pod pod, String prefix, PrintWriter out) {
        var container = stack.cluster()
                .client()
                .pods()
                .inNamespace(stack.namespace())
                .withName(pod.getMetadata().getName())
                .inContainer(container(pod));
        try {
            String log = previous
                    ? container.terminated().tailingLines(lines).getLog()
                    : container.tailingLines(lines).getLog();
            log.lines().forEach(line -> out.println(prefix + line));
            return Optional.empty();
        } catch (KubernetesClientException e) {
            String said = Cluster.said(e);
            out.println(prefix + "(" + said + ")");
            return Optional.of(said);
        } finally {
            out.flush();
        }
    }

    private void follow(ClusterStack stack, Pod pod, PrintWriter out) throws IOException {
        try (LogWatch watch = stack.cluster()
                        .client()
                        .pods()
                        .inNamespace(stack.namespace())
                        .withName(pod.getMetadata().getName())
                        .inContainer(container(pod))
                        .tailingLines(lines)
                        .watchLog();
                BufferedReader reader =
                        new BufferedReader(new InputStreamReader(watch.getOutput(), StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null && !out.checkError(); line = reader.readLine()) {
                out.println(line);
                out.flush();
            }
        }
    }
}
