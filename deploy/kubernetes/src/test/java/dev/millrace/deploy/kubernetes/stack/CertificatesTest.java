package dev.millrace.deploy.kubernetes.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.core.tls.PemFiles;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
@DisplayName("The certificates of a stack")
class CertificatesTest {
    private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");

    @TempDir
    private Path folder;

    private static X509Certificate read(String pem) throws CertificateException {
        return (X509Certificate) CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII)));
    }

    private Path write(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    @Test
    @DisplayName(
            "each part has one of its own, for its service's names, until 397 days from now; the authority's key is nowhere")
    void ofEachPart() throws Exception {
        Certificates made = Certificates.make("here", "broker", NOW);
        assertThat(Certificates.parts("broker"))
                .containsExactly("flink", "store", "jobmanager", "taskmanager", "generator", "broker");
        for (String part : Certificates.parts("broker")) {
            Certificates.Identity identity = made.of(part);
            X509Certificate own = read(identity.certificate());
            own.verify(read(identity.authority()).getPublicKey());
            assertThat(own.getSubjectX500Principal().getName()).isEqualTo("CN=" + part);
            assertThat(own.getNotAfter()).isEqualTo(NOW.plus(Duration.ofDays(397)));
            assertThat(own.getBasicConstraints()).isEqualTo(-1);
            assertThat(own.getSubjectAlternativeNames().stream()
                            .map(name -> name.get(1).toString()))
                    .contains(part, part + ".here", part + ".here.svc", part + "-0." + part + ".here.svc");
            assertThat(identity.toString()).doesNotContain("BEGIN");
            assertThat(identity.authority() + identity.certificate()).doesNotContain("PRIVATE");
        }
        assertThat(Certificates.parts("broker").stream()
                        .map(part -> made.of(part).key())
                        .distinct())
                .hasSize(6);
    }

    @Test
    @DisplayName("a store's is none for a client, and the generator's none for a server")
    void purposes() throws Exception {
        Certificates made = Certificates.make("here", "broker", Instant.now());
        KeyStore trusted =
                PemFiles.trust(List.of(write("ca.crt", made.of("store").authority())));
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(trusted);
        X509TrustManager manager = (X509TrustManager) factory.getTrustManagers()[0];
        X509Certificate[] store = {read(made.of("store").certificate())};
        X509Certificate[] generator = {read(made.of("generator").certificate())};
        manager.checkServerTrusted(store, "ECDHE_ECDSA");
        manager.checkClientTrusted(generator, "EC");
        assertThatThrownBy(() -> manager.checkClientTrusted(store, "EC")).isInstanceOf(CertificateException.class);
        assertThatThrownBy(() -> manager.checkServerTrusted(generator, "ECDHE_ECDSA"))
                .isInstanceOf(CertificateException.class);
    }

    @Test
    @DisplayName("a part is known to those of its stack, and not to those of another one")
    void handshake() throws Exception {
        Certificates made = Certificates.make("here", "broker", Instant.now());
        Certificates other = Certificates.make("here", "broker", Instant.now());
        SSLContext server = PemFiles.server(
                write("tls.crt", made.of("store").certificate()),
                write("tls.key", made.of("store").key()));
        assertThat(said(
                        server,
                        PemFiles.trusting(write("ca.crt", made.of("generator").authority()))))
                .isEqualTo("hello");
        SSLContext stranger =
                PemFiles.trusting(write("other.crt", other.of("generator").authority()));
        assertThatThrownBy(() -> said(server, stranger)).isInstanceOf(SSLException.class);
    }

    private static String said(SSLContext server, SSLContext client) throws Exception {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        try (SSLServerSocket listening =
                (SSLServerSocket) server.getServerSocketFactory().createServerSocket(0, 1, loopback)) {
            CompletableFuture<Void> answered = CompletableFuture.runAsync(() -> {
                try (var socket = listening.accept()) {
                    socket.getOutputStream().write("hello".getBytes(StandardCharsets.US_ASCII));
                } catch (IOException e) {
                    // The client says what was wrong.
                }
            });
            try (SSLSocket socket =
                    (SSLSocket) client.getSocketFactory().createSocket(loopback, listening.getLocalPort())) {
                socket.setSoTimeout(10_000);
                socket.startHandshake();
                InputStream in = socket.getInputStream();
                return new String(in.readNBytes(5), StandardCharsets.US_ASCII);
            } finally {
                answered.join();
            }
        }
    }

    @Test
    @DisplayName("what is wrong with a file is said with its path, and not with what is in it")
    void wrongFiles() throws Exception {
        Certificates made = Certificates.make("here", "broker", Instant.now());
        Path certificate = write("tls.crt", made.of("store").certificate());
        Path cut = write("cut.key", made.of("store").key().replace("PRIVATE", "SECRET"));
        assertThatThrownBy(() -> PemFiles.server(certificate, cut))
                .hasMessageContaining(cut.toString())
                .hasMessageContaining("PKCS #8")
                .hasMessageNotContaining(
                        made.of("store").key().lines().skip(1).findFirst().orElseThrow());
        assertThatThrownBy(() -> PemFiles.trusting(folder.resolve("none.crt"))).hasMessageContaining("none.crt");
    }
}
