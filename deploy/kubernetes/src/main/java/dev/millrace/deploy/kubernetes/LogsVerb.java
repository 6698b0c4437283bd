package dev.millrace.deploy.kubernetes;

import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.command.Command;
import dev.millrace.deploy.command.LogsCommand;
import dev.millrace.deploy.command.Millrace;
import dev.millrace.deploy.kubernetes.cluster.Cluster;
import dev.millrace.deploy.kubernetes.cluster.ClusterStack;
import dev.millrace.deploy.kubernetes.production.Needs;
import dev.millrace.deploy.kubernetes.production.ProductionStatus;
import dev.millrace.deploy.local.Installation;
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
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code millrace logs --target kubernetes}. */
@CommandLine.Command(name = "logs", description = "Show the end of a part's log, or of every part's.")
final class LogsVerb implements Command {
    @CommandLine.Spec
    CommandLine.Model.CommandSpec spec;

    @Mixin
    Place place;

    @Parameters(
            arity = "0..1",
            paramLabel = "PART",
            description =
                    "broker (or its name), store, jobmanager, taskmanager or generator (default: all; --follow wants one)")
    @Nullable
    String part;

    @Option(names = "--lines", paramLabel = "N", description = "how many lines of each (default: 20)")
    int lines = 20;

    @Option(names = "--previous", description = "of the container before its last restart")
    boolean previous;

    @Option(
            names = {"-f", "--follow"},
            description = "go on showing what is added, until Ctrl-C; of a part that has one pod")
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
            Parts parts = parts(stack);
            if (follow) {
                follow(stack, parts, parts.only(part, kubectl(stack)), out);
                return Millrace.OK;
            }
            List<Pod> pods = parts.of(part);
            List<String> unreadable = new ArrayList<>();
            for (Pod pod : pods) {
                String prefix = pods.size() == 1 ? "" : pod.getMetadata().getName() + " | ";
                show(stack, parts, pod, prefix, out).ifPresent(unreadable::add);
            }
            if (!unreadable.isEmpty() && unreadable.size() == pods.size()) {
                throw new EnvironmentException("no log can be read: " + unreadable.get(0));
            }
        }
        return Millrace.OK;
    }

    private static Parts parts(ClusterStack stack) {
        return new Parts(
                stack.broker(),
                stack.isProduction()
                        ? ProductionStatus.pods(stack, Needs.of(Installation.here(), stack.broker()))
                        : stack.pods());
    }

    private static String kubectl(ClusterStack stack) {
        return "kubectl --context " + stack.cluster().context() + " -n " + stack.namespace() + " logs -f POD";
    }

    /** Gives why there is nothing to show. */
    private Optional<String> show(ClusterStack stack, Parts parts, Pod pod, String prefix, PrintWriter out) {
        var container = stack.cluster()
                .client()
                .pods()
                .inNamespace(stack.namespace())
                .withName(pod.getMetadata().getName())
                .inContainer(parts.container(pod));
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

    private void follow(ClusterStack stack, Parts parts, Pod pod, PrintWriter out) throws IOException {
        try (LogWatch watch = stack.cluster()
                        .client()
                        .pods()
                        .inNamespace(stack.namespace())
                        .withName(pod.getMetadata().getName())
                        .inContainer(parts.container(pod))
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
