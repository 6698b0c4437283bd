package dev.millrace.core.tls;

import dev.millrace.core.settings.EnvironmentException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * Reads certificates and private keys (PKCS #8, elliptic curve or RSA) from PEM files. What is wrong with a file is said with its
 * path and never with what is in it.
 */
public final class PemFiles {
    private static final Pattern KEY =
            Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");

    private PemFiles() {}

    /** Clients that trust what the certificates in {@code trusted} have signed, and nobody else. */
    public static SSLContext trusting(Path trusted) {
        return context(null, trustManagers(trust(List.of(trusted))));
    }

    /** As {@link #trusting}; who asks for a certificate is shown the one in {@code certificate}. */
    public static SSLContext trusting(Path trusted, Path certificate, Path key) {
        return context(keyManagers(certificate, key), trustManagers(trust(List.of(trusted))));
    }

    /** Servers that show the certificate and ask for none. */
    public static SSLContext server(Path certificate, Path key) {
        return context(keyManagers(certificate, key), new TrustManager[0]);
    }

    /** As {@link #server}; answers only those who show the very certificate in {@code asker}, and so have its key. */
    public static SSLContext server(Path certificate, Path key, Path asker) {
        return context(
                keyManagers(certificate, key),
                new TrustManager[] {new OnePeer(certificates(asker).get(0))});
    }

    /** All certificates of these files, as such that are trusted. */
    public static KeyStore trust(List<Path> files) {
        try {
            KeyStore store = empty();
            for (Path file : files) {
                for (Certificate certificate : certificates(file)) {
                    store.setCertificateEntry(Integer.toString(store.size()), certificate);
                }
            }
            return store;
        } catch (GeneralSecurityException e) {
            throw new EnvironmentException("cannot trust the certificates in " + files + ": " + e.getMessage(), e);
        }
    }

    /** A certificate, with those between it and its root, and its private key. */
    public static KeyStore identity(Path certificate, Path key, char[] password) {
        try {
            KeyStore store = empty();
            store.setKeyEntry(
                    "key", privateKey(key), password, certificates(certificate).toArray(Certificate[]::new));
            return store;
        } catch (GeneralSecurityException e) {
            throw new EnvironmentException("certificate " + certificate + " and key " + key + " do not go together", e);
        }
    }

    private static KeyStore empty() throws GeneralSecurityException {
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            return store;
        } catch (IOException e) {
            throw new IllegalStateException("nothing was read", e);
        }
    }

    private static List<Certificate> certificates(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            List<Certificate> found =
                    List.copyOf(CertificateFactory.getInstance("X.509").generateCertificates(in));
            if (found.isEmpty()) {
                throw new EnvironmentException("there is no certificate in " + file);
            }
            return found;
        } catch (IOException | GeneralSecurityException e) {
            throw new EnvironmentException("cannot read the certificates in " + file + ": " + e.getMessage(), e);
        }
    }

    private static PrivateKey privateKey(Path file) throws GeneralSecurityException {
        String text;
        try {
            text = Files.readString(file, StandardCharsets.US_ASCII);
        } catch (IOException e) {
            throw new EnvironmentException("cannot read the private key in " + file, e);
        }
        Matcher matcher = KEY.matcher(text);
        if (!matcher.find()) {
            throw new EnvironmentException("there is no private key in " + file + "; it must be PKCS #8 without a"
                    + " password, between BEGIN PRIVATE KEY and END PRIVATE KEY");
        }
        PKCS8EncodedKeySpec key =
                new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(matcher.group(1)));
        for (String algorithm : List.of("EC", "RSA")) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(key);
            } catch (InvalidKeySpecException e) {
                // The other one, then.
            }
        }
        throw new EnvironmentException("the private key in " + file + " is neither elliptic curve nor RSA");
    }

    private static KeyManager[] keyManagers(Path certificate, Path key) {
        char[] password = new char[0];
        try {
            KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            factory.init(identity(certificate, key, password), password);
            return factory.getKeyManagers();
        } catch (GeneralSecurityException e) {
            throw new EnvironmentException("cannot use the key in " + key, e);
        }
    }

    private static TrustManager[] trustManagers(KeyStore trusted) {
        try {
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(trusted);
            return factory.getTrustManagers();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Java has no trust manager", e);
        }
    }

    private static SSLContext context(KeyManager @Nullable [] own, TrustManager[] trusted) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(own, trusted, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Java has no TLS", e);
        }
    }
}
