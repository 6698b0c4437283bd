package dev.millrace.deploy.kubernetes.image;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.command.Command;
import dev.millrace.deploy.command.Millrace;
import dev.millrace.deploy.local.Installation;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** {@code millrace images}: the container images of a stack on one broker. */
@CommandLine.Command(
        name = "images",
        description = {
            "Make the container images of a stack on one broker, without a Docker daemon: one with job, generator, audit, store and",
            "the broker's plugin, and one with the broker's server. An image that is there is not made again."
        })
public final class ImagesCommand implements Command {
    @CommandLine.Spec
    CommandLine.Model.CommandSpec spec;

    @Option(names = "--broker", paramLabel = "B", required = true, description = "the broker")
    String broker;

    @Option(
            names = "--base",
            paramLabel = "IMAGE",
            defaultValue = BaseImage.DEFAULT,
            description = {
                "NAME:TAG in a registry, tar:FILE that docker save wrote, or this-machine: this machine's Java and libraries",
                "(default: ${DEFAULT-VALUE})"
            })
    String base;

    @Option(
            names = "--registry",
            paramLabel = "PREFIX",
            description = {
                "push to HOST[:PORT][/PATH], for amd64 and arm64 when the base is in a registry; credentials are those of Docker's",
                "config.json"
            })
    Optional<String> registry = Optional.empty();

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description =
                    "write docker-archives for this machine's architecture (default: deploy/kubernetes/target/images)")
    Optional<Path> out = Optional.empty();

    @Option(names = "--json", description = "print one JSON document")
    boolean json;

    @Override
    public Integer call() {
        if (registry.isPresent() && out.isPresent()) {
            throw new UserException(
                    "--registry pushes images and --out writes them to files; leave one of the two out");
        }
        Installation installation = Installation.here();
        Path byDefault = installation.root().resolve("deploy/kubernetes/target/images");
        Destination destination = registry.<Destination>map(Destination.Registry::new)
                .orElseGet(() -> new Destination.Folder(out.orElse(byDefault)));
        ImageSet images = ImageSet.build(
                installation,
                broker,
                BaseImage.of(base),
                destination,
                spec.commandLine().getErr());
        PrintWriter print = spec.commandLine().getOut();
        if (json) {
            print.println(document(images));
        } else {
            images.all().forEach(image -> {
                print.println(image.reference() + (image.unchanged() ? "  (was there)" : ""));
                print.println("  " + image.digest());
                image.file().ifPresent(file -> print.println("  " + file));
            });
        }
        print.flush();
        return Millrace.OK;
    }

    private static String document(ImageSet images) {
        ObjectMapper mapper = new ObjectMapper();
        ObjectNode root = mapper.createObjectNode();
        ArrayNode list = root.putArray("images");
        for (BuiltImage image : images.all()) {
            ObjectNode one = list.addObject()
                    .put("reference", image.reference())
                    .put("digest", image.digest())
                    .put("unchanged", image.unchanged());
            image.file().ifPresent(file -> one.put("file", file.toString()));
        }
        try {
            return mapper.writerWithDefaultPrettyPrinter().writeValueAsString(root);
        } catch (IOException e) {
            throw new EnvironmentException("cannot print JSON: " + e.getMessage(), e);
        }
    }
}
