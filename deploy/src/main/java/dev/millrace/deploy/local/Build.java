package dev.millrace.deploy.local;

import dev.millrace.core.settings.EnvironmentException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What of a clone a stack's processes run, by SHA-256 in hexadecimal: a build may replace it while they run, so the run directory keeps
 * its own copies, and another one is a change of the stack.
 *
 * @param jobJar empty in a file of an older version
 * @param plugin of the broker's plugin, all its jars; empty in a file of an older version
 */
record Build(String jobJar, String plugin) {
    static final Build UNKNOWN = new Build("", "");

    static Build of(Path jobJar, List<Path> plugin) {
        return new Build(sha256(jobJar), sha256(plugin));
    }

    /** Of a file, as {@code sha256sum} says it. */
    static String sha256(Path file) {
        try {
            MessageDigest digest = digest();
            try (InputStream in = new DigestInputStream(Files.newInputStream(file), digest)) {
                in.transferTo(OutputStream.nullOutputStream());
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (IOException e) {
            throw new EnvironmentException("cannot read " + file + ": " + e.getMessage(), e);
        }
    }

    /** Of the list that {@code sha256sum} prints of them. */
    static String sha256(List<Path> files) {
        String list = files.stream()
                .map(file -> sha256(file) + "  " + file.getFileName() + "\n")
                .collect(Collectors.joining());
        return HexFormat.of().formatHex(digest().digest(list.getBytes(StandardCharsets.UTF_8)));
    }

    private static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** The copy of the job jar below {@code folder}. */
    Path jobJarIn(Path folder) {
        return folder.resolve("millrace-job-" + jobJar + ".jar");
    }

    /** The folder with the copies of the plugin's jars below {@code folder}. */
    Path pluginIn(Path folder) {
        return folder.resolve("plugin-" + plugin);
    }
}
