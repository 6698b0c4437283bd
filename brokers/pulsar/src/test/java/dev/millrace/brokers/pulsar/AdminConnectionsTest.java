package dev.millrace.brokers.pulsar;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.connectors.testkit.broker.ServerKeys;
import dev.millrace.core.settings.Options;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLSocketFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which TLS a connection would have; none is made. */
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

    private static SSLSocketFactory sockets(Options options) throws IOException {
        PulsarOptions bound = PulsarOptions.bind(options);
        AdminConnections connections = new AdminConnections(bound);
        return ((HttpsURLConnection) connections.open(URI.create(bound.admin()))).getSSLSocketFactory();
    }
}
