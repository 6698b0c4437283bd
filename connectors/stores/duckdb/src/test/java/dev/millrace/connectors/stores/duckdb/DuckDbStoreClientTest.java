package dev.millrace.connectors.stores.duckdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 30, unit = TimeUnit.SECONDS)
class DuckDbStoreClientTest {
    private static final Duration ANSWER_BOUND = Duration.ofMillis(500);

    @Test
    void anOwnerThatStopsInTheMiddleOfAnAnswerIsAskedAgain() throws Exception {
        try (ServerSocket owner = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            CompletableFuture<Void> answered = CompletableFuture.runAsync(() -> {
                try (Socket stopped = owner.accept()) {
                    answer(stopped, "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n17");
                    try (Socket again = owner.accept()) {
                        answer(again, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n42");
                    }
                    assertThat(stopped.getInputStream().read())
                            .as("the connection that was given up is closed")
                            .isEqualTo(-1);
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
            DuckDbStore.Address address = new DuckDbStore.Address(
                    URI.create("http://127.0.0.1:" + owner.getLocalPort()), "", Optional.empty());
            try (DuckDbStoreClient client = new DuckDbStoreClient(address, ANSWER_BOUND)) {
                assertThat(client.completeTo()).isEqualTo(42);
            }
            answered.get(10, TimeUnit.SECONDS);
        }
    }

    private static void answer(Socket asked, String answer) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            head.append((char) asked.getInputStream().read());
        }
        asked.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
        asked.getOutputStream().flush();
    }
}
