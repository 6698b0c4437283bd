package dev.millrace.deploy.local;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;

/** Asks the stack's own processes over loopback; each question is bounded by 5 s. Thread-safe. */
public final class Http {
    private static final Duration BOUND = Duration.ofSeconds(5);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HttpClient CLIENT = HttpClient.newBuilder()
            .connectTimeout(BOUND)
            .version(HttpClient.Version.HTTP_1_1)
            .build();

    private Http() {}

    /** The answer's body; empty when nobody answers, or with anything but 200. */
    public static Optional<String> get(String url) {
        return send(HttpRequest.newBuilder(URI.create(url)).GET());
    }

    /** The answer as JSON; empty as for {@link #get}. */
    public static Optional<JsonNode> json(String url) {
        return get(url).flatMap(text -> {
            try {
                return Optional.of(JSON.readTree(text));
            } catch (IOException e) {
                return Optional.empty();
            }
        });
    }

    /** Posts nothing to {@code url}; the answer's body, empty as for {@link #get}. */
    public static Optional<String> post(String url) {
        return send(HttpRequest.newBuilder(URI.create(url)).POST(HttpRequest.BodyPublishers.noBody()));
    }

    private static Optional<String> send(HttpRequest.Builder request) {
        try {
            HttpResponse<String> response =
                    CLIENT.send(request.timeout(BOUND).build(), HttpResponse.BodyHandlers.ofString());
            return response.statusCode() == 200 ? Optional.of(response.body()) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }
}
