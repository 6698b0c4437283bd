package dev.millrace.deploy.kubernetes.stack;

import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.deploy.kubernetes.cluster.Cluster;
import dev.millrace.deploy.kubernetes.image.BuiltImage;
import io.fabric8.kubernetes.api.model.ContainerImage;
import io.fabric8.kubernetes.api.model.Node;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/** Brings images that are files onto the nodes of a cluster that can be given them. Used by one thread. */
final class ImageDelivery {
    private static final String KIND = "kind-";
    private static final long BOUND_MINUTES = 10;
    private static final int IMAGES_TOLD = 50;
    /** A kubelet looks at its images every 30 s, and tells of them every 10 s. */
    private static final Duration NODES_TELL = Duration.ofSeconds(50);

    private static final Duration LOOK = Duration.ofSeconds(1);

    private final Cluster cluster;
    private final PrintWriter out;

    ImageDelivery(Cluster cluster, PrintWriter out) {
        this.cluster = cluster;
        this.out = out;
    }

    /** Loads what the nodes do not have; where that is a person's to do, an EnvironmentException has the exact commands. */
    void deliver(List<BuiltImage> images) {
        List<BuiltImage> untold = untold(images);
        if (isKind() || isMinikube()) {
            // One that is there, and of which a node with many does not tell, is loaded again: that costs some seconds.
            untold.forEach(this::load);
            return;
        }
        // A person loads them, and that may have been just now.
        long deadline = System.nanoTime() + NODES_TELL.toNanos();
        if (!untold.isEmpty() && !mayHaveUntold()) {
            out.println("  no node tells of the images yet; one that was just given them does within "
                    + NODES_TELL.toSeconds() + " s");
            out.flush();
        }
        while (!untold.isEmpty() && !mayHaveUntold() && System.nanoTime() < deadline) {
            LockSupport.parkNanos(LOOK.toNanos());
            untold = untold(images);
        }
        if (untold.isEmpty()) {
            return;
        }
        if (!mayHaveUntold()) {
            throw new EnvironmentException("the images are not on the nodes of " + cluster.context()
                    + ", which is neither kind nor minikube; push them with --registry HOST/PATH, or run on every node\n"
                    + imports(untold) + "\nand then the same command again");
        }
        out.println("  no node tells of the images, but one has more than it tells of; where pods wait for an image"
                + " (ErrImagePull), push it with --registry HOST/PATH, or run on every node\n" + imports(untold));
        out.flush();
    }

    private void load(BuiltImage image) {
        out.println("  loading " + image.reference() + " onto the node");
        out.flush();
        run(command(image.file().orElseThrow()));
    }

    private static String imports(List<BuiltImage> images) {
        return images.stream()
                .map(image -> "  ctr -n k8s.io images import " + image.file().orElseThrow())
                .collect(Collectors.joining("\n"));
    }

    private List<Node> nodes() {
        return cluster.client().nodes().list().getItems();
    }

    /** Those of the files of which no node tells. */
    private List<BuiltImage> untold(List<BuiltImage> images) {
        List<Node> nodes = nodes();
        return images.stream()
                .filter(image -> image.file().isPresent())
                .filter(image -> nodes.stream().noneMatch(node -> tells(node, image.reference())))
                .toList();
    }

    private boolean isKind() {
        return cluster.context().startsWith(KIND);
    }

    private boolean isMinikube() {
        return nodes().stream().anyMatch(node -> node.getMetadata().getLabels().keySet().stream()
                .anyMatch(label -> label.startsWith("minikube.k8s.io/")));
    }

    private List<String> command(Path file) {
        String context = cluster.context();
        return isKind()
                ? List.of("kind", "load", "image-archive", file.toString(), "--name", context.substring(KIND.length()))
                : List.of("minikube", "--profile", context, "image", "load", file.toString());
    }

    private static boolean tells(Node node, String reference) {
        List<ContainerImage> told = node.getStatus().getImages();
        return told != null
                && told.stream()
                        .map(ContainerImage::getNames)
                        // One that gave its name to a newer one has none.
                        .anyMatch(names -> names != null && names.contains(reference));
    }

    /** A node tells of fifty images at most: one that has more may have any. */
    private boolean mayHaveUntold() {
        return nodes().stream()
                .map(node -> node.getStatus().getImages())
                .anyMatch(told -> told != null && told.size() >= IMAGES_TOLD);
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
