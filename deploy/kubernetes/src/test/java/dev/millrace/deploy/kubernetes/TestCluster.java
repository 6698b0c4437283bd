package dev.millrace.deploy.kubernetes;

import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The project's own cluster, with a real node or none, and the commands that a person would run against it. Used by one thread. */
public final class TestCluster implements AutoCloseable {
    public static final String CONTEXT = "millrace-test";
    /** Where the binary has to be built first. */
    private static final Duration UP_BOUND = Duration.ofMinutes(20);

    private static final Duration IMAGES_BOUND = Duration.ofMinutes(10);

    private static final String JVM_OPTIONS = "JAVA_TOOL_OPTIONS";

    private final Path root = Path.of(System.getProperty("millrace.root"));
    private final Path directory;

    /** What a command ended with. */
    public record Ended(int code, String out) {}

    private TestCluster(Path directory) {
        this.directory = directory;
    }

    /**
     * Brings it up. Where the build runs unattended (CI is set) it must be possible; a person's test is skipped with a sentence when it
     * is not.
     */
    public static TestCluster up(Path directory, List<String> brokers) throws IOException {
        assumePossible();
        TestCluster cluster = new TestCluster(directory);
        List<String> arguments = new ArrayList<>(List.of("up", directory.toString()));
        for (String broker : brokers) {
            arguments.addAll(cluster.images(broker));
        }
        return cluster.start(arguments);
    }

    /** The same without a node of its own; nodes that are applied with KWOK's annotation are pretended. */
    public static TestCluster upPretended(Path directory) {
        assumePossible();
        return new TestCluster(directory).start(List.of("up", directory.toString(), "--fake"));
    }

    private static void assumePossible() {
        boolean possible = System.getProperty("user.name").equals("root") && has("go");
        if (System.getenv("CI") == null) {
            assumeThat(possible)
                    .as("a cluster of our own needs root and go, 1.26 or newer")
                    .isTrue();
        }
    }

    private TestCluster start(List<String> arguments) {
        Ended ended = cluster(UP_BOUND, arguments.toArray(String[]::new));
        if (ended.code() != 0) {
            close();
            throw new IllegalStateException("no cluster: " + ended.out());
        }
        return this;
    }

    private static boolean has(String program) {
        return Stream.of(System.getenv("PATH").split(":"))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }

    /** Those that have manifests. */
    public static List<String> brokers() throws IOException {
        try (Stream<Path> folders = Files.list(Path.of(System.getProperty("millrace.root"), "brokers"))) {
            return folders.filter(folder -> Files.isDirectory(folder.resolve("deploy/kubernetes/tiny")))
                    .map(folder -> folder.getFileName().toString())
                    .sorted()
                    .toList();
        }
    }

    /** Builds the images of a stack on a broker; their files. */
    private List<String> images(String broker) throws IOException {
        Ended images = run(
                IMAGES_BOUND,
                List.of(
                        root.resolve("deploy/bin/millrace").toString(),
                        "images",
                        "--broker",
                        broker,
                        "--base",
                        "this-machine",
                        "--json"));
        if (images.code() != 0) {
            throw new IllegalStateException("no images of " + broker + ": " + images.out());
        }
        List<String> files = new ArrayList<>();
        // Progress stands before it.
        for (JsonNode image : new ObjectMapper()
                .readTree(images.out().substring(images.out().indexOf('{')))
                .path("images")) {
            files.add(image.path("file").asText());
        }
        return files;
    }

    public Path root() {
        return root;
    }

    public Ended kubectl(String... arguments) {
        return kubectl(true, arguments);
    }

    private Ended kubectl(boolean isShown, String... arguments) {
        List<String> command = new ArrayList<>(List.of("env", "kubectl"));
        command.addAll(List.of(arguments));
        return run(Duration.ofMinutes(2), command, isShown, "");
    }

    /** A verb on this cluster. */
    public Ended millrace(Duration bound, String... arguments) {
        return run(bound, millrace(arguments));
    }

    private List<String> millrace(String... arguments) {
        List<String> command =
                new ArrayList<>(List.of(root.resolve("deploy/bin/millrace").toString()));
        command.addAll(List.of(arguments));
        command.addAll(List.of("--target", "kubernetes", "--context", CONTEXT));
        return command;
    }

    /** A verb on this cluster that is killed as soon as it has said this; gives what it had said by then. */
    String millraceUntil(String said, Duration bound, String... arguments) {
        return run(bound, millrace(arguments), true, said).out();
    }

    private Ended cluster(Duration bound, String... arguments) {
        List<String> command = new ArrayList<>(
                List.of(root.resolve("deploy/testcluster/cluster").toString()));
        command.addAll(List.of(arguments));
        return run(bound, command);
    }

    /** What {@code kubectl} answers, which is too long to be shown. */
    public String ask(String... arguments) {
        return kubectl(false, arguments).out();
    }

    public Ended run(Duration bound, List<String> command) {
        return run(bound, command, true, "");
    }

    /**
     * Output and errors together.
     *
     * @param until it is killed as soon as it has said this; empty to let it end
     */
    private Ended run(Duration bound, List<String> command, boolean isShown, String until) {
        try {
            Path said = Files.createTempFile("millrace-test", ".txt");
            ProcessBuilder builder =
                    new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(said.toFile());
            builder.environment()
                    .put("KUBECONFIG", directory.resolve("run/kubeconfig").toString());
            // JVMs in pods live as long as those beside them.
            Optional.ofNullable(System.getenv(JVM_OPTIONS))
                    .ifPresent(options -> builder.environment().put("POD_ENV", JVM_OPTIONS + "=" + options));
            // The cluster's own kubectl, where the machine has none.
            builder.environment()
                    .merge("PATH", directory.resolve("run/bin").toString(), (path, own) -> path + ":" + own);
            long start = System.nanoTime();
            Process process = builder.start();
            process.getOutputStream().close();
            boolean ended = until.isEmpty()
                    ? process.waitFor(bound.toSeconds(), TimeUnit.SECONDS)
                    : says(until, said, process, bound);
            if (!until.isEmpty()) {
                process.destroyForcibly();
                process.waitFor(bound.toSeconds(), TimeUnit.SECONDS);
            } else if (!ended) {
                process.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
            }
            String text = new String(Files.readAllBytes(said), StandardCharsets.UTF_8);
            Files.delete(said);
            if (isShown) {
                System.out.printf(
                        "$ %s  # %.1f s%n%s%n", String.join(" ", command), (System.nanoTime() - start) / 1e9, text);
            }
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

    /** Waits until it is there, or the process has ended. */
    private static boolean says(String until, Path said, Process process, Duration bound)
            throws IOException, InterruptedException {
        long deadline = System.nanoTime() + bound.toNanos();
        while (!Files.readString(said).contains(until)) {
            if (System.nanoTime() > deadline || process.waitFor(50, TimeUnit.MILLISECONDS)) {
                return false;
            }
        }
        return true;
    }

    public Path kubeconfig() {
        return directory.resolve("run/kubeconfig");
    }

    @Override
    public void close() {
        cluster(Duration.ofMinutes(3), "down", directory.toString());
    }
}
