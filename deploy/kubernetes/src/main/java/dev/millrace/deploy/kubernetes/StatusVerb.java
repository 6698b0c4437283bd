package dev.millrace.deploy.kubernetes;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.deploy.command.Command;
import dev.millrace.deploy.command.Millrace;
import dev.millrace.deploy.local.Installation;
import dev.millrace.deploy.look.Table;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code millrace status --target kubernetes}: what the stack does, as far as its pods let it say, and its pods. */
@CommandLine.Command(
        name = "status",
        description = {
            "Show what a stack does: readings, lag, windows, and its pods. Of the production shape: what operators say of its objects,",
            "its pods and volumes with their nodes, its class of durability, and what the running broker says of that."
        },
        footer = {"", "A figure that cannot be had at the moment (a pod restarts) is shown as -, in JSON as null."})
final class StatusVerb implements Command {
    private static final long PAUSE_NANOS = 1_000_000_000;
    private static final ObjectMapper JSON = new ObjectMapper();

    @CommandLine.Spec
    CommandLine.Model.CommandSpec spec;

    @Mixin
    Place place;

    @Option(names = "--json", description = "one line of JSON")
    boolean json;

    @Option(names = "--watch", description = "again every 2 s, until Ctrl-C")
    boolean watch;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        try (Cluster cluster = place.connect()) {
            ClusterStack half = place.half(cluster);
            Optional<Needs> needs = Needs.find(Installation.here(), half.broker())
                    .filter(found -> ProductionStopper.isThere(half, found));
            ClusterStack stack = needs.isPresent() ? half : place.stack(cluster);
            do {
                out.println(needs.isPresent() ? production(stack, needs.get()) : said(stack));
                out.flush();
                if (watch) {
                    LockSupport.parkNanos(PAUSE_NANOS);
                }
            } while (watch && !Thread.currentThread().isInterrupted() && !out.checkError());
        }
        return Millrace.OK;
    }

    private String production(ClusterStack stack, Needs needs) {
        ProductionStatus status = ProductionStatus.of(stack, needs, figures(stack));
        return json ? status.json() : status.text();
    }

    private String said(ClusterStack stack) {
        String figures = figures(stack);
        List<Pod> pods = stack.pods();
        return json ? tree(figures, stack, pods) : text(figures, stack, pods);
    }

    /** Empty while the pod that knows them does not run. */
    private String figures(ClusterStack stack) {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        try {
            List<String> verb = json ? List.of("status", "--json") : List.of("status");
            return stack.run(verb, said, OutputStream.nullOutputStream()) == 0
                    ? said.toString(StandardCharsets.UTF_8).strip()
                    : "";
        } catch (EnvironmentException e) {
            return "";
        }
    }

    private static String text(String figures, ClusterStack stack, List<Pod> pods) {
        String above = figures.isEmpty()
                ? "broker    " + stack.broker() + "\nstate     recovering: the pod that knows its figures does not run"
                : withoutProcesses(figures);
        Table table = new Table("pod", "state", "restarts", "node");
        pods.forEach(pod -> table.row(
                pod.getMetadata().getName(),
                state(pod),
                restarts(pod),
                pod.getSpec().getNodeName() == null ? "-" : pod.getSpec().getNodeName()));
        return above + "\nnamespace " + stack.namespace() + " on "
                + stack.cluster().context() + "\n"
                + Credentials.warning(Credentials.until(pods.stream()), Instant.now(), stack)
                        .map(warning -> "warning   " + warning + "\n")
                        .orElse("")
                + "\n" + table;
    }

    /** They have pids on one machine only. */
    static String withoutProcesses(String figures) {
        return figures.replaceFirst("(?s)\\n\\nprocess .*", "");
    }

    private static String tree(String figures, ClusterStack stack, List<Pod> pods) {
        ObjectNode root = figures.isEmpty()
                ? JsonNodeFactory.instance
                        .objectNode()
                        .put("broker", stack.broker())
                        .put("state", "recovering")
                : parsed(figures);
        root.put("namespace", stack.namespace());
        root.put(
                "certificatesUntil",
                Credentials.until(pods.stream()).map(Instant::toString).orElse(null));
        ArrayNode list = root.putArray("pods");
        for (Pod pod : pods) {
            list.addObject()
                    .put("name", pod.getMetadata().getName())
                    .put("state", state(pod))
                    .put("restarts", restarts(pod))
                    .put("node", pod.getSpec().getNodeName());
        }
        return root.toString();
    }

    static ObjectNode parsed(String figures) {
        try {
            return (ObjectNode) JSON.readTree(figures);
        } catch (IOException e) {
            throw new EnvironmentException("what the pod said is no JSON: " + figures, e);
        }
    }

    static String state(Pod pod) {
        if (pod.getMetadata().getDeletionTimestamp() != null) {
            return "ending";
        }
        boolean ready = !pod.getStatus().getContainerStatuses().isEmpty()
                && pod.getStatus().getContainerStatuses().stream().allMatch(ContainerStatus::getReady);
        if (ready) {
            return "ready";
        }
        return pod.getStatus().getContainerStatuses().stream()
                .map(status -> status.getState().getWaiting())
                .filter(waiting -> waiting != null && waiting.getReason() != null)
                .map(waiting -> waiting.getReason().equals("PodInitializing") ? "starting" : waiting.getReason())
                .findFirst()
                .orElse(pod.getSpec().getNodeName() == null ? "without a node" : "starting");
    }

    static int restarts(Pod pod) {
        return pod.getStatus().getContainerStatuses().stream()
                .mapToInt(ContainerStatus::getRestartCount)
                .sum();
    }
}
