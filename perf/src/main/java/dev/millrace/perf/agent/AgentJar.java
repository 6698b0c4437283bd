package dev.millrace.perf.agent;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** The agent as a jar that {@code java -javaagent} takes; the same bytes from the same class. */
public final class AgentJar {
    private static final String CLASS = UsageAgent.class.getName().replace('.', '/') + ".class";
    private static final String MANIFEST = "Manifest-Version: 1.0\nPremain-Class: " + UsageAgent.class.getName() + "\n";
    /** 1980-02-01, the same for all files: a time would make each jar another one. */
    private static final long TIME = 318_211_200_000L;

    private AgentJar() {}

    public static byte[] bytes() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream jar = new ZipOutputStream(bytes);
                InputStream code = UsageAgent.class.getClassLoader().getResourceAsStream(CLASS)) {
            if (code == null) {
                throw new IllegalStateException("the class path has no " + CLASS);
            }
            put(jar, "META-INF/MANIFEST.MF", MANIFEST.getBytes(StandardCharsets.US_ASCII));
            put(jar, CLASS, code.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static void put(ZipOutputStream jar, String name, byte[] content) throws IOException {
        ZipEntry entry = new ZipEntry(name);
        entry.setTime(TIME);
        jar.putNextEntry(entry);
        jar.write(content);
        jar.closeEntry();
    }
}
