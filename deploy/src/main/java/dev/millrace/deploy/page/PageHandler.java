package dev.millrace.deploy.page;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code GET /}, the page, and {@code GET /look.json}, what it shows. Thread-safe. */
final class PageHandler implements HttpHandler {
    private static final Logger LOG = LoggerFactory.getLogger(PageHandler.class);
    private static final String POLICY =
            "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; img-src data:";
    /** A look takes at most about 5 s. */
    private static final long BOUND_SECONDS = 8;

    private static final int WAITING_MAX = 64;

    private final String options;
    private final Looks looks;
    private final AtomicInteger waiting = new AtomicInteger();
    private byte @Nullable [] page;

    /** @param options by which a command finds the stack */
    PageHandler(String options, Looks looks) {
        this.options = options;
        this.looks = looks;
    }

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        switch (exchange.getRequestURI().getPath()) {
            case "/" -> {
                exchange.getResponseHeaders().set("Content-Security-Policy", POLICY);
                exchange.getResponseHeaders().set("Referrer-Policy", "no-referrer");
                send(exchange, 200, "text/html; charset=utf-8", page());
            }
            case "/look.json" -> look(exchange);
            default ->
                send(
                        exchange,
                        404,
                        "text/plain; charset=utf-8",
                        bytes("there are /, /look.json, /state and /metrics\n"));
        }
    }

    /** Answers when the look is made, by the thread that made it: the server's few are for others meanwhile. */
    private void look(HttpExchange exchange) {
        if (waiting.incrementAndGet() > WAITING_MAX) {
            say(exchange, Looks.Answer.unknown("too many ask at the same time"));
            return;
        }
        CompletableFuture<Looks.Answer> asked;
        try {
            asked = looks.ask();
        } catch (RuntimeException | Error e) {
            // No thread to be had, at the moment.
            say(exchange, Looks.Answer.unknown("the stack could not be looked at: " + e));
            return;
        }
        asked.completeOnTimeout(
                        Looks.Answer.unknown("the look at the stack takes longer than " + BOUND_SECONDS + " s"),
                        BOUND_SECONDS,
                        TimeUnit.SECONDS)
                .thenAccept(answer -> say(exchange, answer));
    }

    private void say(HttpExchange exchange, Looks.Answer answer) {
        waiting.decrementAndGet();
        try {
            send(exchange, answer.status(), "application/json", bytes(answer.json() + "\n"));
        } catch (IOException e) {
            LOG.debug("who asked is gone", e);
        }
    }

    /** Made when it is first asked for, and kept: 690 kB. */
    private synchronized byte[] page() {
        byte[] made = page;
        if (made == null) {
            made = bytes(PageParts.resource("live.html")
                    .replace("{{options}}", escaped(options))
                    .replace("{{css}}", PageParts.style() + PageParts.resource("live.css"))
                    .replace("{{charts}}", PageParts.charts())
                    .replace("{{js}}", PageParts.script() + PageParts.forScript(PageParts.resource("live.js"))));
            page = made;
        }
        return made;
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("{", "&#123;");
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static void send(HttpExchange exchange, int status, String type, byte[] body) throws IOException {
        try (exchange) {
            exchange.getResponseHeaders().set("Content-Type", type);
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
        }
    }
}
