package dev.millrace.deploy.kubernetes.production;

import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.command.SizeOptions;
import dev.millrace.deploy.kubernetes.cluster.ClusterStack;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Picocli mixin: what {@code up} is told of a stack of the production shape. */
public final class ProductionOptions {
    @Option(
            names = "--kustomization",
            paramLabel = "DIR",
            description =
                    "size c5-i7i: a kustomization of your own on top of the broker's; all of this may stand in it")
    @Nullable
    Path kustomization;

    @Option(
            names = "--durability",
            paramLabel = "CLASS",
            description = "size c5-i7i: matched or vendor-default (default: matched)")
    @Nullable
    String durability;

    @Option(
            names = "--image",
            paramLabel = "NAME:TAG",
            description = "size c5-i7i: an image that is in a registry already, in the place of --registry")
    @Nullable
    String image;

    @Option(
            names = "--bucket",
            paramLabel = "NAME",
            description = "size c5-i7i: the S3 bucket of checkpoints and savepoints")
    @Nullable
    String bucket;

    @Option(
            names = "--flink-role",
            paramLabel = "ARN",
            description = "size c5-i7i: the role with which the job uses the bucket")
    @Nullable
    String role;

    @Option(
            names = "--crds",
            paramLabel = "PATH",
            description = {
                "size c5-i7i: a file or folder of CustomResourceDefinitions that you downloaded; those that are not there are",
                "applied, and marked so that down --crds knows them"
            })
    @Nullable
    Path crds;

    @Option(
            names = "--broker-nodes",
            paramLabel = "N",
            description = {
                "size c5-i7i with --rate N: broker nodes that the deployment is derived for, 3 or 6 (default: 3);",
                "millrace size has the derivation alone"
            })
    @Nullable
    String brokerNodes;

    /** At another size these mean nothing. */
    public void refuse(String size) {
        List<String> named = new ArrayList<>();
        add(named, "--kustomization", kustomization);
        add(named, "--durability", durability);
        add(named, "--image", image);
        add(named, "--bucket", bucket);
        add(named, "--flink-role", role);
        add(named, "--crds", crds);
        add(named, "--broker-nodes", brokerNodes);
        if (!named.isEmpty()) {
            throw new UserException("at size " + size + " these mean nothing: " + String.join(", ", named)
                    + "; leave them out, or say --size " + ClusterStack.PRODUCTION);
        }
    }

    private static void add(List<String> named, String name, @Nullable Object value) {
        if (value != null) {
            named.add(name);
        }
    }

    /** What a rate asks for, when one was named. */
    public Optional<SizeOptions> sizing(Optional<String> rate) {
        if (rate.isEmpty() && brokerNodes != null) {
            throw new UserException("--broker-nodes is for a deployment that is derived from a rate; say --rate N too");
        }
        if (rate.isPresent() && kustomization != null) {
            throw new UserException(
                    "--rate derives what --kustomization says; leave one of the two out, or build yours on"
                            + " what millrace size --write DIR writes");
        }
        return rate.map(named -> SizeOptions.of(named, Optional.ofNullable(brokerNodes)));
    }

    public ProductionManifests.Given given(boolean hasRegistry) {
        if (durability != null && !ProductionManifests.DURABILITIES.contains(durability)) {
            throw new UserException("there is no class of durability '" + durability + "'; there are: "
                    + String.join(", ", ProductionManifests.DURABILITIES));
        }
        if (image != null && hasRegistry) {
            throw new UserException("--registry makes the image that --image names; leave one of the two out");
        }
        if (image != null && !image.matches("[^\\s\"]+:[\\w][\\w.-]{0,127}")) {
            throw new UserException("'" + image + "' is no image; say NAME:TAG");
        }
        if (bucket != null && !bucket.matches("[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]")) {
            throw new UserException("'" + bucket + "' is no name of a bucket; it has no s3:// and no folder");
        }
        if (role != null && !role.matches("arn:[\\w:/+=,.@-]+")) {
            throw new UserException("'" + role + "' is no role; say arn:aws:iam::ACCOUNT:role/NAME");
        }
        return new ProductionManifests.Given(
                Optional.ofNullable(kustomization)
                        .map(dir -> dir.toAbsolutePath().normalize()),
                Optional.empty(),
                Optional.ofNullable(durability),
                Optional.ofNullable(image),
                Optional.ofNullable(bucket),
                Optional.ofNullable(role));
    }

    public Optional<Path> definitions() {
        return Optional.ofNullable(crds);
    }
}
