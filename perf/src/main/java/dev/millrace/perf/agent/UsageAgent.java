package dev.millrace.perf.agent;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.stream.LongStream;

/**
 * Tells whoever asks what its process has used so far, and what time it is there: pods do not see each other's processes. Each byte
 * that comes is answered by lines of {@code key value} and an empty line; which node it is on it knows from its environment,
 * {@code NODE_NAME}. It looks only when it is asked, and takes a thread that
 * waits; what it cannot find out it leaves out.
 */
public final class UsageAgent {
    private static final int ASKER_MILLIS = 5_000;
    private static final int BACKLOG = 8;
    private static final long NANOS_OF_A_SECOND = 1_000_000_000L;

    private UsageAgent() {}

    /** @param arguments {@code ADDRESS:PORT} to listen at; of another Java in the same pod the port is taken, and that one tells nothing */
    public static void premain(String arguments) {
        int colon = arguments.lastIndexOf(':');
        try {
            ServerSocket server = new ServerSocket(
                    Integer.parseInt(arguments.substring(colon + 1)),
                    BACKLOG,
                    InetAddress.getByName(arguments.substring(0, colon)));
            Thread thread = new Thread(() -> serve(server), "millrace-usage");
            thread.setDaemon(true);
            thread.start();
        } catch (IOException e) {
            System.err.println("millrace: this process will not tell what it uses: " + e.getMessage());
        }
    }

    private static void serve(ServerSocket server) {
        while (true) {
            try (Socket asker = server.accept()) {
                asker.setSoTimeout(ASKER_MILLIS);
                asker.setTcpNoDelay(true);
                answer(asker.getInputStream(), asker.getOutputStream());
            } catch (IOException e) {
                // Whoever asked is gone, or asks no more; the next one is served.
            }
        }
    }

    private static void answer(InputStream in, OutputStream out) throws IOException {
        while (in.read() >= 0) {
            out.write(text().getBytes(StandardCharsets.US_ASCII));
            out.flush();
        }
    }

    private static String text() {
        return text(Path.of("/"));
    }

    /** @param root what the kernel's files are in */
    static String text(Path root) {
        Instant now = Instant.now();
        StringBuilder text = new StringBuilder();
        String node = System.getenv("NODE_NAME");
        text.append("node ").append(node == null ? "" : node).append('\n');
        line(text, "clockNanos", now.getEpochSecond() * NANOS_OF_A_SECOND + now.getNano());
        ProcessHandle.Info info = ProcessHandle.current().info();
        info.startInstant().ifPresent(start -> line(text, "startMillis", start.toEpochMilli()));
        info.totalCpuDuration().ifPresent(cpu -> line(text, "cpuNanos", cpu.toNanos()));
        number(root.resolve("proc/self/status"), "VmRSS:")
                .ifPresent(kibibytes -> line(text, "residentBytes", kibibytes * 1024));
        number(root.resolve("proc/self/io"), "write_bytes:").ifPresent(bytes -> line(text, "writtenBytes", bytes));
        Path groups = root.resolve("sys/fs/cgroup");
        LongStream.concat(
                        number(groups.resolve("memory.peak"), "").stream(),
                        number(groups.resolve("memory/memory.max_usage_in_bytes"), "").stream())
                .filter(peak -> peak > 0)
                .max()
                .ifPresent(peak -> line(text, "memoryPeakBytes", peak));
        return text.append('\n').toString();
    }

    private static void line(StringBuilder text, String key, long value) {
        text.append(String.format(Locale.ROOT, "%s %d\n", key, value));
    }

    /** The first number behind {@code key} in a file of the kernel's; empty when there is none. */
    private static OptionalLong number(Path file, String key) {
        try {
            for (String line : Files.readAllLines(file)) {
                if (line.startsWith(key)) {
                    return OptionalLong.of(
                            Long.parseLong(line.substring(key.length()).strip().split("\\s+")[0]));
                }
            }
        } catch (IOException | NumberFormatException e) {
            // Not this kernel, or not allowed to look.
        }
        return OptionalLong.empty();
    }
}
