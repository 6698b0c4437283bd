package dev.millrace.connectors.testkit.tls;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A certificate that is its own authority, with its key, as the files that a pod is given. */
public final class SelfSigned {
    private static final String PASSWORD = "changeit";
    private static final int BOUND_SECONDS = 30;

    private SelfSigned() {}

    /**
     * Writes {@code tls.crt}, {@code tls.key}, {@code tls-combined.pem} and {@code ca.crt} into a folder, and gives it.
     *
     * @param names as keytool has them: {@code dns:NAME} or {@code ip:ADDRESS}, separated by commas
     */
    public static Path in(Path folder, String names) {
        Path store = folder.resolve("made.p12");
        try {
            Files.createDirectories(folder);
            make(store, names);
            KeyStore made = KeyStore.getInstance("PKCS12");
            try (InputStream in = Files.newInputStream(store)) {
                made.load(in, PASSWORD.toCharArray());
            }
            Files.delete(store);
            String certificate = pem("CERTIFICATE", made.getCertificate("made").getEncoded());
            String key = pem(
                    "PRIVATE KEY", made.getKey("made", PASSWORD.toCharArray()).getEncoded());
            Files.writeString(folder.resolve("tls.crt"), certificate);
            Files.writeString(folder.resolve("ca.crt"), certificate);
            Files.writeString(folder.resolve("tls.key"), key);
            Files.writeString(folder.resolve("tls-combined.pem"), key + certificate);
            return folder;
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException("no certificate in " + folder, e);
        }
    }

    private static void make(Path store, String names) throws IOException {
        Process keytool = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "made",
                        "-keyalg",
                        "EC",
                        "-groupname",
                        "secp256r1",
                        "-validity",
                        "1",
                        "-dname",
                        "CN=made",
                        "-ext",
                        "san=" + names,
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        PASSWORD,
                        "-keystore",
                        store.toString()))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            if (!keytool.waitFor(BOUND_SECONDS, TimeUnit.SECONDS) || keytool.exitValue() != 0) {
                keytool.destroyForcibly();
                throw new IllegalStateException("keytool made nothing");
            }
        } catch (InterruptedException e) {
            keytool.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private static String pem(String what, byte[] bytes) {
        String text = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                .encodeToString(bytes);
        return "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n";
    }
}
