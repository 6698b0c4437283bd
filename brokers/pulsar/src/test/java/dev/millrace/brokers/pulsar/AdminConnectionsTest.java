package dev.millrace.brokers.pulsar;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.connectors.testkit.broker.ServerKeys;
import dev.millrace.core.settings.Options;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.security.KeyStore;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which TLS a connection to the administration has. */
class AdminConnectionsTest {
    private static final Options PUBLIC_AUTHORITY =
            Options.of(Map.of("address", "127.0.0.1:6651", "client.useTls", "true"));

    @Test
    void aCertificateThatIsTheLoginIsShownThoughNoFileSaysWhomToTrust(@TempDir Path directory) throws IOException {
        ServerKeys keys = ServerKeys.make(directory, "login");
        Options options = PUBLIC_AUTHORITY
                .with("client.authPluginClassName", "org.apache.pulsar.client.impl.auth.AuthenticationTls")
                .with("client.authParams", "tlsCertFile:" + keys.certificate() + ",tlsKeyFile:" + keys.key());
        assertThat(sockets(options)).isNotSameAs(HttpsURLConnection.getDefaultSSLSocketFactory());
    }

    @Test
    void whomTheFileNamesIsTrustedWithoutALogin(@TempDir Path directory) throws IOException {
        ServerKeys keys = ServerKeys.make(directory, "server");
        Options options = PUBLIC_AUTHORITY.with(
                "client.tlsTrustCertsFilePath", keys.certificate().toString());
        assertThat(sockets(options)).isNotSameAs(HttpsURLConnection.getDefaultSSLSocketFactory());
    }

    @Test
    void aTokenNeedsNoMoreThanTheJdksOwn() throws IOException {
        Options options = PUBLIC_AUTHORITY
                .with("client.authPluginClassName", "org.apache.pulsar.client.impl.auth.AuthenticationToken")
                .with("client.authParams", "token:abc");
        assertThat(sockets(options)).isSameAs(HttpsURLConnection.getDefaultSSLSocketFactory());
    }

    @Test
    void aCertificateThatWasRenewedIsTakenByWhoeverIsThereAlready(@TempDir Path directory) throws IOException {
        ServerKeys first = ServerKeys.make(Files.createDirectories(directory.resolve("first")), "login");
        ServerKeys second = ServerKeys.make(Files.createDirectories(directory.resolve("second")), "login");
        Options options = PUBLIC_AUTHORITY
                .with("client.authPluginClassName", "org.apache.pulsar.client.impl.auth.AuthenticationTls")
                .with("client.authParams", "tlsCertFile:" + first.certificate() + ",tlsKeyFile:" + first.key())
                .with("client.tlsTrustCertsFilePath", first.certificate().toString());
        PulsarOptions bound = PulsarOptions.bind(options);
        AdminConnections connections = new AdminConnections(bound);
        SSLSocketFactory before = sockets(connections, bound);
        assertThat(sockets(connections, bound)).isSameAs(before);
        renew(first.key(), second.key());
        renew(first.certificate(), second.certificate());
        SSLSocketFactory after = sockets(connections, bound);
        assertThat(after).isNotSameAs(before);
        assertThat(sockets(connections, bound)).isSameAs(after);
    }

    private static void renew(Path file, Path by) throws IOException {
        FileTime before = Files.getLastModifiedTime(file);
        Files.copy(by, file, StandardCopyOption.REPLACE_EXISTING);
        Files.setLastModifiedTime(file, FileTime.from(before.toInstant().plusSeconds(5)));
    }

    @Test
    void aServerThatClosesWhatItHasAcceptedIsAskedAgain(@TempDir Path directory) throws Exception {
        ServerKeys keys = ServerKeys.make(directory, "server");
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            FutureTask<Void> serving = new FutureTask<>(() -> {
                server.accept().close();
                answer(server.accept(), keys);
                return null;
            });
            new Thread(serving, "closes-once").start();
            PulsarAdmin admin = new PulsarAdmin(PulsarOptions.bind(PUBLIC_AUTHORITY
                    .with("admin", "https://127.0.0.1:" + server.getLocalPort())
                    .with("client.tlsTrustCertsFilePath", keys.certificate().toString())));
            assertThat(admin.ask("GET", "/any", null, "answer").body()).isEqualTo("{}");
            serving.get(30, TimeUnit.SECONDS);
        }
    }

    private static void answer(Socket accepted, ServerKeys keys) throws Exception {
        char[] password = ServerKeys.STORE_PASSWORD.toCharArray();
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(KeyStore.getInstance(keys.store().toFile(), password), password);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        try (SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(accepted, null, true)) {
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            while (!in.readLine().isEmpty()) {
                continue;
            }
            socket.getOutputStream()
                    .write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}".getBytes(StandardCharsets.US_ASCII));
        }
    }

    private static SSLSocketFactory sockets(Options options) throws IOException {
        PulsarOptions bound = PulsarOptions.bind(options);
        return sockets(new AdminConnections(bound), bound);
    }

    private static SSLSocketFactory sockets(AdminConnections connections, PulsarOptions bound) throws IOException {
        return ((HttpsURLConnection) connections.open(URI.create(bound.admin()))).getSSLSocketFactory();
    }
}
