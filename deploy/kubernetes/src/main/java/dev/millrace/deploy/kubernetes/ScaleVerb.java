package dev.millrace.deploy.kubernetes;

import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.command.Command;
import dev.millrace.deploy.command.Millrace;
import dev.millrace.deploy.kubernetes.cluster.Cluster;
import dev.millrace.deploy.kubernetes.cluster.ClusterStack;
import dev.millrace.deploy.kubernetes.image.BaseImage;
import dev.millrace.deploy.kubernetes.production.Needs;
import dev.millrace.deploy.kubernetes.production.ProductionScale;
import dev.millrace.deploy.kubernetes.stack.ClusterLauncher;
import dev.millrace.deploy.local.Installation;
import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.deploy.local.StackSettings;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code millrace scale --target kubernetes}. */
@CommandLine.Command(
        name = "scale",
        description = {
            "Change the job's parallelism while the stack runs: the job goes on from its newest checkpoint in new pods, with",
            "slots and memory to match. Of the production shape Flink's operator does it, from a savepoint."
        })
final class ScaleVerb implements Command {
    @CommandLine.Spec
    CommandLine.Model.CommandSpec spec;

    @Mixin
    Place place;

    @Option(
            names = "--parallelism",
            required = true,
            paramLabel = "N",
            description = "subtasks of the job, from 1 to the number of partitions, at most 128")
    int parallelism;

    @Option(
            names = "--base",
            paramLabel = "IMAGE",
            defaultValue = BaseImage.DEFAULT,
            description = "what the images stand on, as it was named to up (default: ${DEFAULT-VALUE})")
    String base;

    @Option(names = "--registry", paramLabel = "PREFIX", description = "where the images are, as it was named to up")
    @Nullable
    String registry;

    @Override
    public Integer call() {
        Installation installation = Installation.here();
        try (Cluster cluster = place.connect()) {
            ClusterStack stack = place.stack(cluster);
            if (stack.isProduction()) {
                new ProductionScale(
                                stack,
                                Needs.of(installation, stack.broker()),
                                spec.commandLine().getOut())
                        .to(parallelism);
                return Millrace.OK;
            }
            StackSettings here = stack.settings()
                    .orElseThrow(() -> new UserException("the stack in " + stack.namespace() + " has no job to scale"));
            if (parallelism < 1 || parallelism > here.partitions()) {
                throw new UserException("the parallelism is " + parallelism + "; it must be from 1 to "
                        + here.partitions() + ", the number of partitions: more subtasks would stand idle");
            }
            StackSettings asked = here.with("parallelism", Integer.toString(parallelism));
            new ClusterLauncher(
                            installation,
                            stack,
                            RunDirectory.defaultBase(installation),
                            spec.commandLine().getOut())
                    .up(
                            asked,
                            new ClusterLauncher.Manner(
                                    false, false, BaseImage.of(base), Optional.ofNullable(registry)));
        }
        return Millrace.OK;
    }
}
