package dev.millrace.deploy.look;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;

/** JSON over loopback, every call bounded. Thread-safe. */
final class Http {
    static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration BOUND = Duration.ofSeconds(3);

    private final HttpClient client = HttpClient.newBuilder()
            .connectTimeout(BOUND)
            .version(HttpClient.Version.HTTP_1_1)
            .build();

    /** The answer's status and body. */
    record Answer(int status, String body) {
        JsonNode json() {
            try {
                return JSON.readTree(body);
            } catch (IOException e) {
                return JSON.missingNode();
            }
        }
    }

    /** The JSON there, or nothing when nobody answers or the answer is not 200. */
    Optional<JsonNode> json(String url) {
        try {
            Answer answer = send(HttpRequest.newBuilder(URI.create(url)).GET());
            return answer.status() == 200 ? Optional.of(answer.json()) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    Answer post(String url) throws IOException {
        return send(HttpRequest.newBuilder(URI.create(url)).POST(HttpRequest.BodyPublishers.noBody()));
    }

    private Answer send(HttpRequest.Builder request) throws IOException {
        try {
            HttpResponse<String> response =
                    client.send(request.timeout(BOUND).build(), HttpResponse.BodyHandlers.ofString());
            return new Answer(response.statusCode(), response.body());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
