package dev.millrace.perf.kubernetes;

import dev.millrace.deploy.command.Command;
import dev.millrace.deploy.kubernetes.cluster.Cluster;
import dev.millrace.deploy.kubernetes.cluster.NamedCluster;
import dev.millrace.deploy.kubernetes.image.BaseImage;
import dev.millrace.deploy.kubernetes.stack.ClusterLauncher;
import dev.millrace.perf.BenchmarkOptions;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code millrace benchmark --target kubernetes}. */
@CommandLine.Command(
        name = "benchmark",
        description = {
            "Run a scenario on several brokers on a cluster, one after the other on the same nodes, each run on a new stack in a",
            "namespace of its own, interleaved in random order, every run audited, and write one report. Whoever measures is a Job",
            "in that namespace. A run that misses a gate (rate, lag, audit ...) is listed as INVALID and never compared."
        },
        footer = {
            "",
            "Scenarios are files in perf/scenarios; those that stop and start processes (backlog, fan-out, burst, soak) need one machine,",
            "and so does the one that rates per core are made of (sizing).",
            "Results are kept in RUN-DIR/results/SCENARIO-TIME: report.html, report.md, result.json, runs.csv, samples.csv and each",
            "run's latencies (.hlog).",
            "Exit code 0: every broker has a VALID run, and no audit found a difference. 1: not so. 130: ended by Ctrl-C (143: by",
            "SIGTERM)."
        })
final class BenchmarkVerb implements Command {
    @CommandLine.Spec
    CommandLine.Model.CommandSpec spec;

    @Mixin
    BenchmarkOptions options;

    @Mixin
    NamedCluster place;

    @Option(
            names = "--namespace",
            paramLabel = "NAME",
            defaultValue = "millrace-benchmark",
            description = "where the stacks are while they are measured (default: ${DEFAULT-VALUE})")
    String namespace;

    @Option(
            names = "--base",
            paramLabel = "IMAGE",
            defaultValue = "eclipse-temurin:17-jre",
            description = "what the images stand on, as for up (default: ${DEFAULT-VALUE})")
    String base;

    @Option(names = "--registry", paramLabel = "PREFIX", description = "push the images there, as for up")
    @Nullable
    String registry;

    @Override
    public Integer call() {
        ClusterLauncher.Manner manner =
                new ClusterLauncher.Manner(false, false, BaseImage.of(base), Optional.ofNullable(registry));
        try (Cluster cluster = place.connect()) {
            return options.run((installation, scenario, file, up, folder) -> new ClusterGround(
                    installation,
                    scenario,
                    file,
                    up,
                    folder,
                    cluster,
                    namespace,
                    manner,
                    spec.commandLine().getErr()));
        }
    }
}
