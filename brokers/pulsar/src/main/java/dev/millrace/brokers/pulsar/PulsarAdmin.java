package dev.millrace.brokers.pulsar;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.UserException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLHandshakeException;

/**
 * Asks a broker's administration over HTTP: topics, policies, positions, settings. A broker that does not answer is asked again
 * until 30 s have passed. Thread-safe; holds nothing open.
 */
final class PulsarAdmin {
    private static final Duration BOUND = Duration.ofSeconds(PulsarClients.BOUND_SECONDS);
    private static final Duration PAUSE = Duration.ofMillis(200);
    private static final String JSON_TYPE = "application/json";
    private static final ObjectMapper JSON = new ObjectMapper();

    private final PulsarOptions options;
    private final AdminConnections connections;

    PulsarAdmin(PulsarOptions options) {
        this.options = options;
        this.connections = new AdminConnections(options);
    }

    /** What the server said: its status, its body and the headers of interest. */
    record Answer(int status, String body, String messagesInBatch, String index) {

        boolean isFine() {
            return status / 100 == 2;
        }

        /** Whoever asked has not the right, or no login that is known: Pulsar says 401 of both. */
        boolean isForbidden() {
            return status == 401 || status == 403;
        }

        /** Whether no broker has the topic now: one has just started, or is handing it over. */
        boolean isWithoutOwner() {
            return status == 503 || status == 412 && reason().contains("Failed to find ownership");
        }

        JsonNode json() {
            try {
                return JSON.readTree(body);
            } catch (JsonProcessingException e) {
                throw new EnvironmentException("Pulsar's administration answered with what is no JSON: " + body, e);
            }
        }

        /** The reason that Pulsar gives. */
        String reason() {
            try {
                return JSON.readTree(body).path("reason").asText(body);
            } catch (JsonProcessingException e) {
                return body.isBlank() ? "HTTP status " + status : body;
            }
        }
    }

    /** The path of a topic's questions. */
    String topic(String topic) {
        return "/admin/v2/persistent/" + options.namespace() + "/" + encoded(topic);
    }

    /** The path of a partition's questions. */
    String partition(String topic, int partition) {
        return topic(topic) + "-partition-" + partition;
    }

    /** What the internal statistics of a partition say of a group; its name there is encoded. Missing where there is no such group. */
    static JsonNode cursor(JsonNode stats, String group) {
        return stats.path("cursors").path(encoded(group));
    }

    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    Answer get(String path, String what) {
        return ask("GET", path, null, what);
    }

    /** As {@link #get}; what is not there is empty, any other refusal fails. */
    Optional<JsonNode> find(String path, String what) {
        Answer answer = get(path, what);
        if (answer.status() == 404) {
            return Optional.empty();
        }
        return Optional.of(fine(answer, what).json());
    }

    /** As {@link #get}; a refusal fails. */
    JsonNode read(String path, String what) {
        return fine(get(path, what), what).json();
    }

    /** @param json the body; null for none */
    Answer ask(String method, String path, String json, String what) {
        return ask(method, path, json, JSON_TYPE, what);
    }

    /** @param type of the body, by its name among the media types */
    Answer ask(String method, String path, String json, String type, String what) {
        long deadline = System.nanoTime() + BOUND.toNanos();
        while (true) {
            try {
                Answer answer = once(connections.open(URI.create(options.admin() + path)), method, json, type, BOUND);
                if (!answer.isWithoutOwner() || System.nanoTime() > deadline) {
                    return answer;
                }
            } catch (IOException e) {
                if (isMistrust(e)) {
                    throw new EnvironmentException(
                            "TLS with Pulsar's administration at " + options.admin() + " failed (" + e.getMessage()
                                    + "); the option client.tlsTrustCertsFilePath must name the certificates that it trusts",
                            e);
                }
                if (System.nanoTime() > deadline) {
                    throw silent(what, e);
                }
            }
            pause();
        }
    }

    /** A server that stops, or a balancer without one, closes what it has accepted: the JDK calls that a failed handshake, too. */
    private static boolean isMistrust(IOException e) {
        return e instanceof SSLHandshakeException && !(e.getCause() instanceof EOFException);
    }

    /** Between two tries. */
    void pause() {
        LockSupport.parkNanos(PAUSE.toNanos());
        if (Thread.currentThread().isInterrupted()) {
            throw new EnvironmentException("interrupted while waiting for Pulsar at " + options.admin());
        }
    }

    /** One request, one answer. */
    private static Answer once(HttpURLConnection connection, String method, String json, String type, Duration bound)
            throws IOException {
        connection.setConnectTimeout((int) bound.toMillis());
        connection.setReadTimeout((int) bound.toMillis());
        connection.setRequestMethod(method);
        connection.setRequestProperty("Accept", "*/*");
        // A connection that is kept would keep a thread of the JDK's.
        connection.setRequestProperty("Connection", "close");
        try {
            if (json != null) {
                connection.setDoOutput(true);
                connection.setRequestProperty("Content-Type", type);
                connection.getOutputStream().write(json.getBytes(StandardCharsets.UTF_8));
            }
            int status = connection.getResponseCode();
            try (InputStream stream = status < 400 ? connection.getInputStream() : connection.getErrorStream()) {
                return new Answer(
                        status,
                        stream == null ? "" : new String(stream.readAllBytes(), StandardCharsets.UTF_8),
                        connection.getHeaderField("X-Pulsar-num-batch-message"),
                        connection.getHeaderField("X-Pulsar-Broker-Entry-METADATA-index"));
            }
        } finally {
            connection.disconnect();
        }
    }

    /** One question to a server of which nothing is known yet; what goes wrong is for the caller. */
    static Answer probe(String url, Duration bound) throws IOException {
        return once((HttpURLConnection) URI.create(url).toURL().openConnection(), "GET", null, JSON_TYPE, bound);
    }

    /** The answer, unless it is a refusal. */
    Answer fine(Answer answer, String what) {
        if (answer.isFine()) {
            return answer;
        }
        String asked = "Pulsar at " + options.admin();
        if (answer.isWithoutOwner()) {
            throw new EnvironmentException(asked + " failed to " + what + ": " + answer.reason());
        }
        switch (answer.status()) {
            // 401 is both: a login that is wrong, and one that has not the right.
            case 401, 403 ->
                throw new EnvironmentException(asked + " does not allow to " + what + ": " + answer.reason()
                        + " (the login is what the options client.auth* say)");
            case 404, 405, 409, 412 -> throw new UserException(asked + " refused to " + what + ": " + answer.reason());
            default -> throw new EnvironmentException(asked + " failed to " + what + ": " + answer.reason());
        }
    }

    private EnvironmentException silent(String what, Throwable cause) {
        return new EnvironmentException(
                "no Pulsar administration at " + options.admin() + " answered within " + BOUND.toSeconds()
                        + " s (asked to " + what + "); is it running, and are address (" + options.address()
                        + ") and admin right?",
                cause);
    }
}
