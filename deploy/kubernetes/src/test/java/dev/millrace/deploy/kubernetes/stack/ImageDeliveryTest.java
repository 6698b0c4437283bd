package dev.millrace.deploy.kubernetes.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.deploy.kubernetes.cluster.LoopbackCluster;
import dev.millrace.deploy.kubernetes.image.BuiltImage;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Nodes of which each tells of fifty images at most. */
class ImageDeliveryTest {
    private static final String IMAGE = "localhost/millrace:1";
    private final StringWriter said = new StringWriter();

    private void deliver(String context, List<String> told) throws IOException {
        String images = told.stream()
                .map(name -> "{names: [\"" + name + "\"], sizeBytes: 1}")
                .collect(Collectors.joining(", "));
        try (LoopbackCluster there = new LoopbackCluster(context)) {
            there.with(
                    "nodes",
                    "apiVersion: v1\nkind: Node\nmetadata: {name: one, labels: {some: label}}\nstatus: {images: ["
                            + images + "]}\n");
            new ImageDelivery(there.cluster(), new PrintWriter(said, true))
                    .deliver(List.of(new BuiltImage(IMAGE, "sha256:0", Optional.of(Path.of("no-such.tar")), false)));
        }
    }

    private static List<String> others(int count) {
        return IntStream.range(0, count)
                .mapToObj(number -> "example.org/other:" + number)
                .collect(Collectors.toList());
    }

    @Test
    @DisplayName("a node that has fifty others and could be given the image is given it")
    void loaded() {
        // Whether kind is here or not: there is no such file.
        assertThatThrownBy(() -> deliver("kind-x", others(50)))
                .isInstanceOf(EnvironmentException.class)
                .hasMessageStartingWith("'kind load image-archive no-such.tar --name x' ");
        assertThat(said.toString()).contains("loading " + IMAGE);
    }

    @Test
    @DisplayName("a node that tells of the image is given nothing")
    void there() throws IOException {
        List<String> told = others(49);
        told.add(IMAGE);
        deliver("kind-x", told);
        deliver("elsewhere", told);
        assertThat(said.toString()).isEmpty();
    }

    @Test
    @DisplayName("where a person loads images, one that may be there is no fault, and how it gets there is said")
    void hint() throws IOException {
        deliver("elsewhere", others(50));
        assertThat(said.toString())
                .contains("ErrImagePull")
                .contains("ctr -n k8s.io images import no-such.tar")
                .doesNotContain("no node tells of the images yet");
    }
}
