package dev.millrace.brokers.pulsar;

import dev.millrace.core.settings.EnvironmentException;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Map;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;
import org.apache.pulsar.client.api.Authentication;
import org.apache.pulsar.client.api.AuthenticationDataProvider;
import org.apache.pulsar.client.api.AuthenticationFactory;
import org.apache.pulsar.client.api.PulsarClientException;
import org.jspecify.annotations.Nullable;

/**
 * Opens connections to the administration with the client's own settings: its login, and whom it trusts ({@code
 * tlsTrustCertsFilePath}). Certificates of the client itself are for the broker alone. Thread-safe.
 */
final class AdminConnections {
    private final PulsarOptions options;
    private @Nullable Authentication login;
    private @Nullable SSLSocketFactory trusting;

    AdminConnections(PulsarOptions options) {
        this.options = options;
    }

    HttpURLConnection open(URI uri) throws IOException {
        HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
        String certificates = options.client().getOrDefault("tlsTrustCertsFilePath", "");
        if (connection instanceof HttpsURLConnection secure && !certificates.isEmpty()) {
            secure.setSSLSocketFactory(trusting(Path.of(certificates)));
        }
        String plugin = options.client().getOrDefault("authPluginClassName", "");
        if (!plugin.isEmpty()) {
            logIn(connection, plugin, uri.getHost());
        }
        return connection;
    }

    private void logIn(HttpURLConnection connection, String plugin, String host) {
        try {
            AuthenticationDataProvider data = login(plugin).getAuthData(host);
            if (data.hasDataForHttp()) {
                for (Map.Entry<String, String> header : data.getHttpHeaders()) {
                    connection.setRequestProperty(header.getKey(), header.getValue());
                }
            }
        } catch (Exception e) {
            // Pulsar's interface declares no more; what a plugin says may hold what it was given.
            throw new EnvironmentException(
                    "the login for Pulsar at " + options.admin() + " cannot be made by " + plugin + " ("
                            + e.getClass().getSimpleName() + "); it is what the options client.auth* say",
                    e);
        }
    }

    private synchronized Authentication login(String plugin) throws PulsarClientException {
        if (login == null) {
            Authentication made =
                    AuthenticationFactory.create(plugin, options.client().getOrDefault("authParams", ""));
            made.start();
            login = made;
        }
        return login;
    }

    private synchronized SSLSocketFactory trusting(Path certificates) {
        if (trusting == null) {
            try (InputStream in = Files.newInputStream(certificates)) {
                KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
                trusted.load(null, null);
                for (Certificate certificate :
                        CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                    trusted.setCertificateEntry(Integer.toString(trusted.size()), certificate);
                }
                TrustManagerFactory managers =
                        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
                managers.init(trusted);
                SSLContext context = SSLContext.getInstance("TLS");
                context.init(null, managers.getTrustManagers(), null);
                trusting = context.getSocketFactory();
            } catch (IOException | GeneralSecurityException e) {
                throw new EnvironmentException(
                        "cannot read the certificates in " + certificates + " (client.tlsTrustCertsFilePath): " + e, e);
            }
        }
        return trusting;
    }
}
