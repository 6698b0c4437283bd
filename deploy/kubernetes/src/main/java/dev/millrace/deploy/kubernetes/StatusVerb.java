package dev.millrace.deploy.kubernetes;

import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.deploy.command.Command;
import dev.millrace.deploy.command.Millrace;
import dev.millrace.deploy.kubernetes.cluster.Cluster;
import dev.millrace.deploy.kubernetes.cluster.ClusterStack;
import dev.millrace.deploy.kubernetes.production.Needs;
import dev.millrace.deploy.kubernetes.production.ProductionStatus;
import dev.millrace.deploy.kubernetes.production.ProductionStopper;
import dev.millrace.deploy.kubernetes.stack.StackStatus;
import dev.millrace.deploy.local.Installation;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
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
            Optional<Needs> left = needs(half);
            // Of the small size only one that is up has a form.
            ClusterStack stack = left.isPresent() ? half : place.stack(cluster);
            Optional<Needs> needs = stack.equals(half) ? left : needs(stack);
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

    /** Those of a stack of the production shape, or of what is left of one. */
    private static Optional<Needs> needs(ClusterStack stack) {
        return Needs.find(Installation.here(), stack.broker()).filter(needs -> ProductionStopper.isThere(stack, needs));
    }

    private String production(ClusterStack stack, Needs needs) {
        ProductionStatus status = ProductionStatus.of(stack, needs, figures(stack));
        return json ? status.json() : status.text();
    }

    private String said(ClusterStack stack) {
        StackStatus status = new StackStatus(stack, stack.pods(), figures(stack));
        return json ? status.json() : status.text();
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
}
