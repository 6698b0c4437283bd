package dev.millrace.deploy.local.supervisor;

import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import dev.millrace.connectors.api.local.LoopbackHost;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * Lets only GETs through that name this machine: no page of another site reads here by way of DNS. What is answered is kept by
 * nobody and is taken for nothing but what it says it is.
 */
public final class LoopbackGets extends Filter {
    @Override
    public String description() {
        return "only GET, only for this machine";
    }

    @Override
    public void doFilter(HttpExchange exchange, Chain chain) throws IOException {
        Headers headers = exchange.getResponseHeaders();
        headers.set("X-Content-Type-Options", "nosniff");
        headers.set("Cache-Control", "no-store");
        if (!LoopbackHost.isMeantBy(exchange.getRequestHeaders().getFirst("Host"))) {
            refuse(exchange, 403, "this server answers 127.0.0.1 and localhost only");
        } else if (!exchange.getRequestMethod().equals("GET")) {
            headers.set("Allow", "GET");
            refuse(exchange, 405, "this server takes GET only");
        } else {
            chain.doFilter(exchange);
        }
    }

    private static void refuse(HttpExchange exchange, int status, String sentence) throws IOException {
        byte[] body = (sentence + "\n").getBytes(StandardCharsets.UTF_8);
        boolean hasBody = !exchange.getRequestMethod().equals("HEAD");
        exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=utf-8");
        try (exchange) {
            exchange.sendResponseHeaders(status, hasBody ? body.length : -1);
            if (hasBody) {
                exchange.getResponseBody().write(body);
            }
        }
    }
}
