package dev.millrace.connectors.testkit.broker;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A key and a certificate of its own for a server on 127.0.0.1, made by the JDK's keytool in a folder of the test: as stores
 * and as PEM.
 */
public final class ServerKeys {
    /** Of every store. */
    public static final String STORE_PASSWORD = "st0re-of-the-test";

    private static final long BOUND_SECONDS = 60;

    private final Path folder;
    private final String name;

    private ServerKeys(Path folder, String name) {
        this.folder = folder;
        this.name = name;
    }

    /** Makes them; {@code name} is that of the files and of the certificate. */
    public static ServerKeys make(Path folder, String name) {
        ServerKeys keys = new ServerKeys(folder, name);
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        keys.keytool(keys.store(), "-genkeypair", "-keyalg", "RSA", "-dname", "CN=" + name, "-ext", "SAN=ip:127.0.0.1");
        keys.keytool(
                keys.store(), "-exportcert", "-rfc", "-file", keys.certificate().toString());
        keys.keytool(
                keys.trust(),
                "-importcert",
                "-noprompt",
                "-file",
                keys.certificate().toString());
        return keys;
    }

    /** Key and certificate, PKCS12. */
    public Path store() {
        return folder.resolve(name + ".p12");
    }

    /** What a client trusts, PKCS12. */
    public Path trust() {
        return folder.resolve(name + "-trust.p12");
    }

    /** The certificate, PEM. */
    public Path certificate() {
        return folder.resolve(name + ".crt");
    }

    /** The key, PEM (PKCS8); written at the first call. */
    public Path key() {
        Path file = folder.resolve(name + ".key");
        try (InputStream in = Files.newInputStream(store())) {
            KeyStore keys = KeyStore.getInstance("PKCS12");
            keys.load(in, STORE_PASSWORD.toCharArray());
            byte[] key = keys.getKey(name, STORE_PASSWORD.toCharArray()).getEncoded();
            String text = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                    .encodeToString(key);
            return Files.writeString(file, "-----BEGIN PRIVATE KEY-----\n" + text + "\n-----END PRIVATE KEY-----\n");
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private void keytool(Path store, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(List.of(arguments));
        command.addAll(List.of("-alias", name, "-keystore", store.toString()));
        command.addAll(List.of("-storetype", "PKCS12", "-storepass", STORE_PASSWORD));
        Path output = folder.resolve(name + "-keytool.log");
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()))
                    .start();
            if (!process.waitFor(BOUND_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
                process.destroyForcibly();
                throw new IllegalStateException("keytool failed: " + Files.readString(output));
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
