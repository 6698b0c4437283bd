package dev.millrace.deploy.kubernetes;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The project's own cluster, with a real node, and the commands that a person would run against it. Used by one thread. */
final class TestCluster implements AutoCloseable {
    static final String CONTEXT = "millrace-test";
    /** Where the binary has to be built first. */
    private static final Duration UP_BOUND = Duration.ofMinutes(20);

    private final Path root = Path.of(System.getProperty("millrace.root"));
    private final Path directory;

    /** What a command ended with. */
    record Ended(int code, String out) {}

    private TestCluster(Path directory) {
        this.directory = directory;
    }

    static TestCluster up(Path directory) {
        TestCluster cluster = new TestCluster(directory);
        Ended ended = cluster.cluster(UP_BOUND, "up", directory.toString());
        if (ended.code() != 0) {
            cluster.close();
            throw new IllegalStateException("no cluster: " + ended.out());
        }
        return cluster;
    }

    Path root() {
        return root;
    }

    void load(Path image) {
        Ended ended = cluster(Duration.ofMinutes(3), "load", directory.toString(), image.toString());
        if (ended.code() != 0) {
            throw new IllegalStateException("image " + image + " cannot be loaded: " + ended.out());
        }
    }

    Ended kubectl(String... arguments) {
        List<String> command = new ArrayList<>(List.of("kubectl"));
        command.addAll(List.of(arguments));
        return run(Duration.ofMinutes(2), command);
    }

    /** A verb on this cluster. */
    Ended millrace(Duration bound, String... arguments) {
        List<String> command =
                new ArrayList<>(List.of(root.resolve("deploy/bin/millrace").toString()));
        command.addAll(List.of(arguments));
        command.addAll(List.of("--target", "kubernetes", "--context", CONTEXT));
        return run(bound, command);
    }

    private Ended cluster(Duration bound, String... arguments) {
        List<String> command = new ArrayList<>(
                List.of(root.resolve("deploy/testcluster/cluster").toString()));
        command.addAll(List.of(arguments));
        return run(bound, command);
    }

    /** Output and errors together. */
    Ended run(Duration bound, List<String> command) {
        try {
            Path said = Files.createTempFile("millrace-test", ".txt");
            ProcessBuilder builder =
                    new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(said.toFile());
            builder.environment()
                    .put("KUBECONFIG", directory.resolve("run/kubeconfig").toString());
            Process process = builder.start();
            process.getOutputStream().close();
            boolean ended = process.waitFor(bound.toSeconds(), TimeUnit.SECONDS);
            if (!ended) {
                process.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
            }
            String text = new String(Files.readAllBytes(said), StandardCharsets.UTF_8);
            Files.delete(said);
            System.out.println("$ " + String.join(" ", command) + "\n" + text);
            if (!ended) {
                throw new IllegalStateException("not ended within " + bound + ": " + command + "\n" + text);
            }
            return new Ended(process.exitValue(), text);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        cluster(Duration.ofMinutes(3), "down", directory.toString());
    }
}
