package dev.millrace.deploy.local;

import dev.millrace.core.settings.EnvironmentException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256: of a list of texts, each with its length, so that no two lists run together; of a text; of a file. Not thread-safe. */
public final class Sha256 {
    private final MessageDigest digest = digest();

    public Sha256 add(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).flip());
        digest.update(bytes);
        return this;
    }

    /** In hexadecimal; what was added is forgotten. */
    public String hex() {
        return HexFormat.of().formatHex(digest.digest());
    }

    /** A file's content in hexadecimal. */
    public static String of(Path file) {
        MessageDigest digest = digest();
        byte[] buffer = new byte[1 << 16];
        try (InputStream in = Files.newInputStream(file)) {
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                digest.update(buffer, 0, read);
            }
        } catch (IOException e) {
            throw new EnvironmentException("cannot read " + file + ": " + e.getMessage(), e);
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    /** A text in hexadecimal. */
    public static String of(String text) {
        return HexFormat.of().formatHex(digest().digest(text.getBytes(StandardCharsets.UTF_8)));
    }

    private static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new EnvironmentException("this Java has no SHA-256: " + e.getMessage(), e);
        }
    }
}
