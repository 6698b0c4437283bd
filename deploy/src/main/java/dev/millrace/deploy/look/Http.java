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
    /** An order is answered when it is carried out; a generator that starts takes up to 5 s to say that it cannot yet. */
    private static final Duration ORDER_BOUND = Duration.ofSeconds(8);

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
            Answer answer = send(HttpRequest.newBuilder(URI.create(url)).GET().timeout(BOUND));
            return answer.status() == 200 ? Optional.of(answer.json()) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    Answer post(String url) throws IOException {
        return send(HttpRequest.newBuilder(URI.create(url))
                .POST(HttpRequest.BodyPublishers.noBody())
                .timeout(ORDER_BOUND));
    }

    private Answer send(HttpRequest.Builder request) throws IOException {
        try {
            HttpResponse<String> response = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
            return new Answer(response.statusCode(), response.body());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
