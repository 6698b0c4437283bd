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
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.apache.pulsar.client.api.Authentication;
import org.apache.pulsar.client.api.AuthenticationDataProvider;
import org.apache.pulsar.client.api.AuthenticationFactory;
import org.apache.pulsar.client.api.PulsarClientException;
import org.jspecify.annotations.Nullable;

/**
 * Opens connections to the administration with the client's own settings: its login, and whom it trusts ({@code
 * tlsTrustCertsFilePath}; whom the JDK trusts, where it is not set). Where the login is a certificate ({@code
 * AuthenticationTls}), it is shown here, too. Thread-safe.
 */
final class AdminConnections {
    private final PulsarOptions options;
    private @Nullable Authentication login;
    private @Nullable SSLSocketFactory sockets;
    private @Nullable List<Object> socketsOf;

    AdminConnections(PulsarOptions options) {
        this.options = options;
    }

    HttpURLConnection open(URI uri) throws IOException {
        HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
        String certificates = options.client().getOrDefault("tlsTrustCertsFilePath", "");
        String plugin = options.client().getOrDefault("authPluginClassName", "");
        if (connection instanceof HttpsURLConnection secure) {
            SSLSocketFactory made = sockets(certificates, plugin, uri.getHost());
            if (made != null) {
                secure.setSSLSocketFactory(made);
            }
        }
        if (!plugin.isEmpty()) {
            logIn(connection, plugin, uri.getHost());
        }
        return connection;
    }

    private void logIn(HttpURLConnection connection, String plugin, String host) {
        AuthenticationDataProvider data = data(plugin, host);
        try {
            if (data.hasDataForHttp()) {
                for (Map.Entry<String, String> header : data.getHttpHeaders()) {
                    connection.setRequestProperty(header.getKey(), header.getValue());
                }
            }
        } catch (Exception e) {
            throw noLogin(plugin, e);
        }
    }

    private AuthenticationDataProvider data(String plugin, String host) {
        try {
            return login(plugin).getAuthData(host);
        } catch (Exception e) {
            throw noLogin(plugin, e);
        }
    }

    /** Pulsar's interface declares no more than Exception; what a plugin says may hold what it was given. */
    private EnvironmentException noLogin(String plugin, Exception e) {
        return new EnvironmentException(
                "the login for Pulsar at " + options.admin() + " cannot be made by " + plugin + " ("
                        + e.getClass().getSimpleName() + "); it is what the options client.auth* say",
                e);
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

    /**
     * Null where the JDK's own will do: no file says whom to trust, and the login is no certificate. Made anew when either is another, as
     * the client does: an enumerator lives for longer than a certificate.
     */
    private synchronized @Nullable SSLSocketFactory sockets(String certificates, String plugin, String host) {
        Identity own = plugin.isEmpty() ? null : identity(plugin, host);
        if (own == null && certificates.isEmpty()) {
            return null;
        }
        try {
            // A renewal may be seen half done: the certificate before its key.
            List<Object> of = new ArrayList<>();
            of.add(own);
            of.add(certificates.isEmpty() ? null : Files.getLastModifiedTime(Path.of(certificates)));
            if (!of.equals(socketsOf)) {
                SSLContext context = SSLContext.getInstance("TLS");
                // No trust managers are the JDK's.
                context.init(
                        own == null ? null : managers(own, plugin),
                        certificates.isEmpty() ? null : trusted(Path.of(certificates)),
                        null);
                sockets = context.getSocketFactory();
                socketsOf = of;
            }
        } catch (IOException e) {
            throw unreadable(Path.of(certificates), e);
        } catch (GeneralSecurityException e) {
            throw new EnvironmentException("cannot make TLS for Pulsar at " + options.admin() + ": " + e, e);
        }
        return sockets;
    }

    /** The certificate that is the login, those that it is signed by, and its key. */
    private record Identity(PrivateKey key, List<Certificate> chain) {}

    /** Null where the login is something else. */
    private @Nullable Identity identity(String plugin, String host) {
        AuthenticationDataProvider data = data(plugin, host);
        try {
            return data.hasDataForTls() && data.getTlsPrivateKey() != null
                    ? new Identity(data.getTlsPrivateKey(), List.of(data.getTlsCertificates()))
                    : null;
        } catch (RuntimeException e) {
            throw noLogin(plugin, e);
        }
    }

    private KeyManager[] managers(Identity own, String plugin) {
        try {
            char[] password = new char[0];
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setKeyEntry("login", own.key(), password, own.chain().toArray(new Certificate[0]));
            KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            managers.init(store, password);
            return managers.getKeyManagers();
        } catch (IOException | GeneralSecurityException e) {
            throw noLogin(plugin, e);
        }
    }

    private static TrustManager[] trusted(Path certificates) {
        try (InputStream in = Files.newInputStream(certificates)) {
            KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
            trusted.load(null, null);
            for (Certificate certificate :
                    CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                trusted.setCertificateEntry(Integer.toString(trusted.size()), certificate);
            }
            TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            managers.init(trusted);
            return managers.getTrustManagers();
        } catch (IOException | GeneralSecurityException e) {
            throw unreadable(certificates, e);
        }
    }

    private static EnvironmentException unreadable(Path certificates, Exception e) {
        return new EnvironmentException(
                "cannot read the certificates in " + certificates + " (client.tlsTrustCertsFilePath): " + e, e);
    }
}
