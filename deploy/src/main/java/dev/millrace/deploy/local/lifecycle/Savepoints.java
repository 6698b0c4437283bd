package dev.millrace.deploy.local.lifecycle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.millrace.core.process.ProcessLock;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.LocalFolder;
import dev.millrace.core.settings.Values;
import dev.millrace.deploy.local.Folders;
import dev.millrace.deploy.local.Http;
import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.deploy.local.StackState;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Takes savepoints of a stack's job, which goes on meanwhile, and keeps the newest few. Used by one thread. */
public final class Savepoints {
    /** So many stay; older ones are removed when a new one is complete. */
    public static final int KEPT = 3;

    private static final Duration BOUND = Duration.ofMinutes(5);
    private static final Duration LOOK = Duration.ofMillis(100);
    private static final Duration SAY_EVERY = Duration.ofSeconds(5);

    private final RunDirectory directory;
    private final HttpClient client;
    private final String jobUrl;
    private final Consumer<String> progress;

    /** @param progress takes a line now and then */
    Savepoints(RunDirectory directory, StackState state, Consumer<String> progress) {
        this.directory = directory;
        this.client = Http.client(directory);
        this.jobUrl = state.part(StackState.JOB_MANAGER).url() + "/jobs/" + directory.jobId();
        this.progress = progress;
    }

    /**
     * One that is complete.
     *
     * @param millis from the order to the completion
     */
    public record Taken(Path path, long bytes, long millis) {}

    /** Takes one of a stack that runs, as nobody else works on it. */
    @SuppressWarnings("try")
    public static Taken take(RunDirectory directory, Consumer<String> progress) {
        try (ProcessLock lock = directory.lock()) {
            StackState state = directory
                    .state()
                    .filter(said -> said.state() == StackState.State.RUNNING)
                    .orElseThrow(() -> new EnvironmentException("the job of stack '" + directory.broker()
                            + "' does not run, so that there is no savepoint; 'millrace status' shows how it is"));
            return new Savepoints(directory, state, progress).take();
        }
    }

    /** Takes one; EnvironmentException when the job does not run, or it does not complete within 5 min. */
    Taken take() {
        long begun = System.nanoTime();
        String request = order();
        long said = begun;
        while (true) {
            JsonNode answer = look(request);
            if (answer.path("status").path("id").asText().equals("COMPLETED")) {
                Path path = location(answer.path("operation"));
                removeOldBut(path);
                return new Taken(path, bytes(path), (System.nanoTime() - begun) / 1_000_000);
            }
            long now = System.nanoTime();
            if (now - begun > BOUND.toNanos() || Thread.interrupted()) {
                throw new EnvironmentException(
                        "the savepoint was not complete within " + Values.text(BOUND) + "; the job goes on without it");
            }
            if (now - said > SAY_EVERY.toNanos()) {
                said = now;
                progress.accept("the savepoint is being written");
            }
            LockSupport.parkNanos(LOOK.toNanos());
        }
    }

    /** What the JobManager says of an order; missing while it says nothing. One that is another by now does not know of it. */
    private JsonNode look(String request) {
        Optional<Http.Answer> answer = Http.answer(client, jobUrl + "/savepoints/" + request);
        if (answer.filter(said -> said.status() == HttpURLConnection.HTTP_NOT_FOUND)
                .isPresent()) {
            throw new EnvironmentException("there is no savepoint: the JobManager was started again while it was taken,"
                    + " and the job goes on from its last checkpoint; say it again");
        }
        return answer.filter(said -> said.status() == HttpURLConnection.HTTP_OK)
                .flatMap(said -> Http.parsed(said.body()))
                .orElse(MissingNode.getInstance());
    }

    private String order() {
        String order = JsonNodeFactory.instance
                .objectNode()
                .put("target-directory", LocalFolder.location(directory.savepoints()))
                .put("cancel-job", false)
                .put("formatType", "CANONICAL")
                .toString();
        try {
            Http.Answer answer = Http.post(client, jobUrl + "/savepoints", order);
            Optional<String> request = Http.parsed(answer.body())
                    .map(json -> json.path("request-id").asText())
                    .filter(id -> answer.status() < 300 && !id.isEmpty());
            return request.orElseThrow(() -> new EnvironmentException(
                    "the JobManager does not take a savepoint (" + answer.status() + "): " + answer.body()));
        } catch (IOException e) {
            throw new EnvironmentException(
                    "the JobManager does not answer, so that there is no savepoint; 'millrace status' shows how it is",
                    e);
        }
    }

    private static Path location(JsonNode operation) {
        String location = operation.path("location").asText("");
        if (location.isEmpty()) {
            throw new EnvironmentException("the savepoint failed: " + cause(operation.path("failure-cause")));
        }
        return LocalFolder.of(location)
                .orElseThrow(() -> new EnvironmentException("the savepoint is not on this machine: " + location));
    }

    /** The innermost cause says it; the others only say who passed it on. */
    private static String cause(JsonNode failure) {
        List<String> lines =
                failure.path("stack-trace").asText("unknown").lines().toList();
        return lines.stream()
                .filter(line -> line.startsWith("Caused by: "))
                .reduce((first, last) -> last)
                .map(line -> line.substring("Caused by: ".length()))
                .orElse(lines.isEmpty() ? "unknown" : lines.get(0));
    }

    /** The newest by the clock, and whatever that says the one that was just taken. */
    private void removeOldBut(Path taken) {
        try (Stream<Path> folders = Files.list(directory.savepoints())) {
            List<Path> old = folders.filter(Files::isDirectory)
                    .filter(folder -> !folder.getFileName().equals(taken.getFileName()))
                    .sorted(Comparator.comparing(Savepoints::modified).reversed())
                    .skip(KEPT - 1)
                    .toList();
            for (Path folder : old) {
                Folders.delete(folder);
            }
        } catch (IOException e) {
            throw new EnvironmentException("cannot remove old savepoints in " + directory.savepoints() + ": " + e, e);
        }
    }

    private static long modified(Path folder) {
        try {
            return Files.getLastModifiedTime(folder).toMillis();
        } catch (IOException e) {
            return 0;
        }
    }

    private static long bytes(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile)
                    .mapToLong(file -> file.toFile().length())
                    .sum();
        } catch (IOException e) {
            throw new EnvironmentException("cannot read the savepoint " + folder + ": " + e.getMessage(), e);
        }
    }
}
