package dev.millrace.deploy.kubernetes;

import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.deploy.kubernetes.image.BuiltImage;
import dev.millrace.deploy.kubernetes.image.ImageSet;
import io.fabric8.kubernetes.api.model.Node;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Brings images that are files onto the nodes of a cluster that can be given them. Used by one thread. */
final class ImageDelivery {
    private static final String KIND = "kind-";
    private static final long BOUND_MINUTES = 10;

    private final Cluster cluster;
    private final PrintWriter out;

    ImageDelivery(Cluster cluster, PrintWriter out) {
        this.cluster = cluster;
        this.out = out;
    }

    /** Loads what the nodes do not have; where that is a person's to do, an EnvironmentException has the exact commands. */
    void deliver(ImageSet images) {
        List<Node> nodes = cluster.client().nodes().list().getItems();
        List<BuiltImage> missing = images.all().stream()
                .filter(image -> image.file().isPresent())
                .filter(image -> nodes.stream().noneMatch(node -> has(node, image.reference())))
                .toList();
        if (missing.isEmpty()) {
            return;
        }
        boolean minikube = nodes.stream().anyMatch(node -> node.getMetadata().getLabels().keySet().stream()
                .anyMatch(label -> label.startsWith("minikube.k8s.io/")));
        List<String> commands = new ArrayList<>();
        for (BuiltImage image : missing) {
            Path file = image.file().orElseThrow();
            Optional<List<String>> command = command(file, minikube);
            if (command.isPresent()) {
                out.println("  loading " + image.reference() + " onto the node");
                out.flush();
                run(command.get());
            } else {
                commands.add("  ctr -n k8s.io images import " + file);
            }
        }
        if (!commands.isEmpty()) {
            throw new EnvironmentException("the images are not on the nodes of " + cluster.context()
                    + ", which is neither kind nor minikube; push them with --registry HOST/PATH, or run on every node\n"
                    + String.join("\n", commands) + "\nand then the same up again");
        }
    }

    private Optional<List<String>> command(Path file, boolean minikube) {
        String context = cluster.context();
        if (context.startsWith(KIND)) {
            return Optional.of(List.of(
                    "kind", "load", "image-archive", file.toString(), "--name", context.substring(KIND.length())));
        }
        return minikube
                ? Optional.of(List.of("minikube", "--profile", context, "image", "load", file.toString()))
                : Optional.empty();
    }

    private static boolean has(Node node, String reference) {
        return node.getStatus().getImages() != null
                && node.getStatus().getImages().stream()
                        .anyMatch(image -> image.getNames().contains(reference));
    }

    private static void run(List<String> command) {
        String line = String.join(" ", command);
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
            String said = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
            if (!process.waitFor(BOUND_MINUTES, TimeUnit.MINUTES) || process.exitValue() != 0) {
                process.destroyForcibly();
                throw new EnvironmentException("'" + line + "' failed: " + said.strip());
            }
        } catch (IOException e) {
            throw new EnvironmentException("'" + line + "' cannot be run: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EnvironmentException("interrupted while an image was loaded", e);
        }
    }
}
