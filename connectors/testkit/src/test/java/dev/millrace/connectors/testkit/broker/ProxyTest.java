package dev.millrace.connectors.testkit.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class ProxyTest {
    private static final Duration BOUND = Duration.ofSeconds(10);

    private ServerSocket server;
    private Proxy proxy;

    @BeforeEach
    void open() throws IOException {
        server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        proxy = new Proxy(server.getLocalPort());
    }

    @AfterEach
    void close() throws IOException {
        proxy.close();
        server.close();
    }

    private Socket client() throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), proxy.port());
    }

    private static void carries(Socket from, Socket to, int value) throws IOException {
        from.getOutputStream().write(value);
        assertThat(to.getInputStream().read()).isEqualTo(value);
    }

    /** Whether the other side ended it, with or without a farewell. */
    private static boolean hasEnded(Socket socket) throws IOException {
        try {
            return socket.getInputStream().read() < 0;
        } catch (java.net.SocketException e) {
            return true;
        }
    }

    @Test
    @DisplayName("bytes go through in both directions, whoever closes first ends both sides")
    void carriesBothWays() throws IOException {
        try (Socket client = client();
                Socket accepted = server.accept()) {
            carries(client, accepted, 7);
            carries(accepted, client, 8);
            assertThat(proxy.forwardedBytes()).isEqualTo(2);
            accepted.shutdownOutput();
            assertThat(hasEnded(client)).isTrue();
        }
    }

    @Test
    @DisplayName("a cut ends every connection on both sides, and the next one goes through")
    void cuts() throws IOException {
        try (Socket one = client();
                Socket oneAccepted = server.accept();
                Socket other = client();
                Socket otherAccepted = server.accept()) {
            carries(one, oneAccepted, 1);
            carries(other, otherAccepted, 2);
            assertThat(proxy.cut()).isEqualTo(2);
            for (Socket side : new Socket[] {one, oneAccepted, other, otherAccepted}) {
                assertThat(hasEnded(side)).isTrue();
            }
        }
        try (Socket client = client();
                Socket accepted = server.accept()) {
            carries(client, accepted, 3);
        }
    }

    @Test
    @DisplayName("while it refuses, a connection ends at once; afterwards it goes on")
    void refuses() throws IOException {
        proxy.refuse(true);
        try (Socket client = client()) {
            assertThat(hasEnded(client)).isTrue();
        }
        proxy.refuse(false);
        try (Socket client = client();
                Socket accepted = server.accept()) {
            carries(client, accepted, 4);
        }
    }

    @Test
    @DisplayName("a server that is not there ends the client's connection")
    void serverGone() throws IOException {
        server.close();
        try (Socket client = client()) {
            assertThat(hasEnded(client)).isTrue();
        }
    }

    @Test
    @DisplayName("closing leaves no thread and no port")
    void leavesNothing() throws IOException {
        Socket client = client();
        try (client;
                Socket accepted = server.accept()) {
            carries(client, accepted, 5);
            proxy.close();
            Await.until(BOUND, "no thread of the proxy is left", () -> Thread.getAllStackTraces().keySet().stream()
                    .map(Thread::getName)
                    .noneMatch(name -> name.startsWith("proxy-" + proxy.port())));
            assertThatThrownBy(this::client).isInstanceOf(IOException.class);
        }
    }
}
