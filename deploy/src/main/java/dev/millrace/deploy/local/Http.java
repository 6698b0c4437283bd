package dev.millrace.deploy.local;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.core.tls.PemFiles;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Asks the stack's own processes, over loopback or with the stack's keys; every call is bounded. Thread-safe. */
public final class Http {
    private static final Duration BOUND = Duration.ofSeconds(5);
    /** An order is answered when it is carried out; a generator that starts takes up to 5 s to say that it cannot yet. */
    private static final Duration ORDER_BOUND = Duration.ofSeconds(8);

    private static final ObjectMapper JSON = new ObjectMapper();
    static final HttpClient PLAIN = builder().build();

    private Http() {}

    private static HttpClient.Builder builder() {
        return HttpClient.newBuilder().connectTimeout(BOUND).version(HttpClient.Version.HTTP_1_1);
    }

    /** A client for the parts of this stack: with its keys where it has some. */
    public static HttpClient client(RunDirectory directory) {
        Path tls = directory.tls();
        return Files.isDirectory(tls)
                ? builder()
                        .sslContext(PemFiles.trusting(
                                tls.resolve("ca.crt"), tls.resolve("tls.crt"), tls.resolve("tls.key")))
                        .build()
                : PLAIN;
    }

    /** The answer's status and body. */
    public record Answer(int status, String body) {}

    /** The answer's body; empty when nobody answers, or with anything but 200. */
    public static Optional<String> get(String url) {
        return get(PLAIN, url);
    }

    private static Optional<String> get(HttpClient client, String url) {
        return answer(client, url).filter(answer -> answer.status() == 200).map(Answer::body);
    }

    /** The answer whatever its status is; empty when nobody answers. */
    public static Optional<Answer> answer(HttpClient client, String url) {
        try {
            return Optional.of(
                    send(client, HttpRequest.newBuilder(URI.create(url)).GET().timeout(BOUND)));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** The answer as JSON; empty as for {@link #get}. */
    public static Optional<JsonNode> json(String url) {
        return get(url).flatMap(Http::parsed);
    }

    /** As {@link #json}, by this client. */
    public static Optional<JsonNode> json(HttpClient client, String url) {
        return get(client, url).flatMap(Http::parsed);
    }

    /** A text as JSON; empty when it is none. */
    public static Optional<JsonNode> parsed(String text) {
        try {
            return Optional.of(JSON.readTree(text));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Posts nothing to {@code url}; throws when nobody answers. */
    public static Answer post(String url) throws IOException {
        return send(
                PLAIN,
                HttpRequest.newBuilder(URI.create(url))
                        .POST(HttpRequest.BodyPublishers.noBody())
                        .timeout(ORDER_BOUND));
    }

    /** Posts JSON to {@code url}; throws when nobody answers. */
    public static Answer post(HttpClient client, String url, String json) throws IOException {
        return send(
                client,
                HttpRequest.newBuilder(URI.create(url))
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(json))
                        .timeout(ORDER_BOUND));
    }

    private static Answer send(HttpClient client, HttpRequest.Builder request) throws IOException {
        try {
            HttpResponse<String> response = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
            return new Answer(response.statusCode(), response.body());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
