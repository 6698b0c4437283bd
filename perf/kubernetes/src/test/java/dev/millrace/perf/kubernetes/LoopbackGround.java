package dev.millrace.perf.kubernetes;

import dev.millrace.deploy.kubernetes.cluster.LoopbackCluster;
import dev.millrace.deploy.kubernetes.image.BaseImage;
import dev.millrace.deploy.kubernetes.stack.ClusterLauncher;
import dev.millrace.deploy.local.Installation;
import dev.millrace.perf.scenario.ScenarioFile;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** The ground of a benchmark in namespace {@code here} of a {@link LoopbackCluster}, and what may lie there of broker {@code north}. */
final class LoopbackGround {
    private LoopbackGround() {}

    static Path scenario(String name) {
        return Path.of(System.getProperty("millrace.root"))
                .resolve("perf/scenarios")
                .resolve(name + ".yaml");
    }

    static ClusterGround of(LoopbackCluster cluster, Path scenario) {
        return new ClusterGround(
                Installation.here(),
                ScenarioFile.load(scenario),
                scenario,
                Map.of(),
                Path.of("."),
                cluster.cluster(),
                "here",
                new ClusterLauncher.Manner(false, false, BaseImage.of(BaseImage.DEFAULT), Optional.empty()),
                new PrintWriter(Writer.nullWriter()));
    }

    static void add(LoopbackCluster cluster, String plural, String version, String kind, String name) {
        cluster.with(
                plural,
                "apiVersion: " + version + "\nkind: " + kind + "\nmetadata: {name: " + name
                        + ", namespace: here, labels: {app.kubernetes.io/managed-by: millrace, millrace.dev/stack: north,"
                        + " app.kubernetes.io/name: " + name + "}}\n");
    }
}
