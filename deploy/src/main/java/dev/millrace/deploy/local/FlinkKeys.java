package dev.millrace.deploy.local;

import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.tls.PemFiles;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/**
 * What a Flink process shows others and whom it takes for its own, as the files that Flink reads. JobManager and TaskManagers share one
 * certificate, which is its own authority: whoever does not show that very one is none of them. The JobManager's REST interface has
 * another one, and answers one asker; with the same one each process answers that asker for its metrics. Immutable.
 *
 * @param tls with PEM files, which the metrics' server reads by itself
 * @param folder with {@code internal.p12}, {@code trusted.p12}, for the REST interface {@code rest.p12} and {@code asker.p12}
 * @param asker the fingerprint of the certificate of the one who may ask; empty where there is no REST interface
 * @param password of all of them; as random as a key, made with them
 */
public record FlinkKeys(Path tls, Path folder, String asker, String password) {
    private static final String TYPE = "PKCS12";
    private static final int PASSWORD_BYTES = 24;

    /**
     * Writes the files anew, with another password.
     *
     * @param folder where; only its owner may look into the files
     * @param tls with PEM files: {@code flink.crt} and {@code flink.key}; for the REST interface and metrics {@code tls.crt} and
     *     {@code tls.key}, and {@code generator.crt}, the asker's
     * @param rest whether there is a REST interface
     */
    public static FlinkKeys write(Path folder, Path tls, boolean rest) {
        byte[] bytes = new byte[PASSWORD_BYTES];
        new SecureRandom().nextBytes(bytes);
        String password = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        KeyStore asker = PemFiles.trust(rest ? List.of(tls.resolve("generator.crt")) : List.of());
        FlinkKeys keys = new FlinkKeys(tls, folder, rest ? fingerprint(asker) : "", password);
        char[] characters = password.toCharArray();
        Path certificate = tls.resolve("flink.crt");
        keys.write("internal", PemFiles.identity(certificate, tls.resolve("flink.key"), characters));
        keys.write("trusted", PemFiles.trust(List.of(certificate)));
        if (rest) {
            keys.write("rest", PemFiles.identity(tls.resolve("tls.crt"), tls.resolve("tls.key"), characters));
            keys.write("asker", asker);
        }
        return keys;
    }

    /** As Flink wants it; another certificate with the same one cannot be made. */
    private static String fingerprint(KeyStore store) {
        try {
            byte[] encoded = store.getCertificate("0").getEncoded();
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(encoded));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Java has no SHA-1", e);
        }
    }

    private Path file(String name) {
        return folder.resolve(name + ".p12");
    }

    private void write(String name, KeyStore store) {
        Path file = file(name);
        try {
            Files.createDirectories(file.getParent());
            Files.deleteIfExists(file);
            try (OutputStream out = Files.newOutputStream(OwnerOnly.file(file))) {
                store.store(out, password.toCharArray());
            }
        } catch (IOException | GeneralSecurityException e) {
            throw new EnvironmentException("cannot write " + file + ": " + e.getMessage(), e);
        }
    }

    /** Each side of every connection between Flink's processes shows who it is. */
    void internal(Map<String, String> values) {
        put(values, "security.ssl.internal.", "internal", "trusted");
        // Flink's default suites are for RSA keys and TLS 1.2.
        values.put("security.ssl.protocol", "TLSv1.3");
        values.put("security.ssl.algorithms", "TLS_AES_128_GCM_SHA256,TLS_AES_256_GCM_SHA384");
    }

    /** Who asks the REST interface shows who it is, too. */
    void rest(Map<String, String> values) {
        put(values, "security.ssl.rest.", "rest", "asker");
        values.put("security.ssl.rest.authentication-enabled", "true");
        values.put("security.ssl.rest.cert.fingerprint", asker);
    }

    /** Who asks for metrics shows who it is. */
    void metrics(Map<String, String> values, String prefix) {
        values.put(prefix + "certificate", tls.resolve("tls.crt").toString());
        values.put(prefix + "key", tls.resolve("tls.key").toString());
        values.put(prefix + "asker", tls.resolve("generator.crt").toString());
    }

    private void put(Map<String, String> values, String prefix, String identity, String trusted) {
        values.put(prefix + "enabled", "true");
        values.put(prefix + "keystore", file(identity).toString());
        values.put(prefix + "keystore-type", TYPE);
        values.put(prefix + "keystore-password", password);
        values.put(prefix + "key-password", password);
        values.put(prefix + "truststore", file(trusted).toString());
        values.put(prefix + "truststore-type", TYPE);
        values.put(prefix + "truststore-password", password);
    }

    @Override
    public String toString() {
        return "FlinkKeys in " + folder;
    }
}
