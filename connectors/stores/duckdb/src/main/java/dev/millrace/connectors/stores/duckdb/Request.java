package dev.millrace.connectors.stores.duckdb;

import com.sun.net.httpserver.HttpExchange;
import dev.millrace.connectors.api.store.RowBinary;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** One HTTP request and its answer. Used by one thread. */
final class Request {
    private static final int PIECE_BYTES = 128 << 10;

    private final HttpExchange exchange;
    private final Map<String, String> parameters = new LinkedHashMap<>();
    private boolean answered;

    Request(HttpExchange exchange) {
        this.exchange = exchange;
        String query = exchange.getRequestURI().getRawQuery();
        for (String pair : query == null ? new String[0] : query.split("&")) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                parameters.put(pair.substring(0, equals), pair.substring(equals + 1));
            }
        }
    }

    HttpExchange exchange() {
        return exchange;
    }

    /** A parameter that must be there. */
    String parameter(String name) {
        String value = parameters.get(name);
        if (value == null) {
            throw new IllegalArgumentException("the parameter '" + name + "' is missing");
        }
        return URLDecoder.decode(value, StandardCharsets.UTF_8);
    }

    /** A parameter that must be there and be a whole number. */
    long number(String name) {
        String text = parameter(name);
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("the parameter '" + name + "' is '" + text + "', not a whole number", e);
        }
    }

    byte[] body(int maxBytes) throws IOException {
        byte[] body = exchange.getRequestBody().readNBytes(maxBytes + 1);
        if (body.length > maxBytes) {
            throw new IllegalArgumentException("a body of more than " + maxBytes + " bytes");
        }
        return body;
    }

    void answer(int status, String sentence) throws IOException {
        answer(status, "text/plain; charset=utf-8", (sentence + "\n").getBytes(StandardCharsets.UTF_8));
    }

    void answer(int status, String type, byte[] body) throws IOException {
        answered = true;
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        if (body.length > 0) {
            exchange.getResponseBody().write(body);
        }
    }

    /** Sends the rows when a piece of them has gathered. */
    void sendFull(RowBinary.Encoder encoder) throws IOException {
        if (encoder.size() >= PIECE_BYTES) {
            send(encoder);
        }
    }

    /** Sends the rest, so that the client sees the end. */
    void sendLast(RowBinary.Encoder encoder) throws IOException {
        send(encoder);
        exchange.getResponseBody().close();
    }

    private void send(RowBinary.Encoder encoder) throws IOException {
        if (!answered) {
            answered = true;
            exchange.getResponseHeaders().set("Content-Type", "application/octet-stream");
            exchange.sendResponseHeaders(200, 0);
        }
        exchange.getResponseBody().write(encoder.take());
    }

    /** Says what went wrong; when rows are on their way already, the answer breaks off and the client knows by that. */
    void failed(int status, String sentence) throws IOException {
        if (answered) {
            throw new IOException(sentence);
        }
        answer(status, sentence);
    }
}
