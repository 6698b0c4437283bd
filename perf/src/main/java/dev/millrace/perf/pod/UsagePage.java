package dev.millrace.perf.pod;

import dev.millrace.perf.agent.UsageAgent;
import dev.millrace.perf.probe.ClockDistance;
import dev.millrace.perf.probe.ProcessUse;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a process said of itself when it was asked.
 *
 * @param node that it is on; empty when it does not know
 * @param use empty when it does not know the CPU time that it has used
 * @param startMillis when it was started, epoch; another one after a start again; 0 when it does not know
 * @param memoryPeakBytes the most that its container ever had, page cache included; empty where the kernel does not say
 * @see UsageAgent
 */
record UsagePage(String node, Optional<ProcessUse> use, long startMillis, OptionalLong memoryPeakBytes) {
    private static final int BOUND_MILLIS = 1_000;
    private static final int CLOCK_LOOKS = 20;
    private static final long NANOS_OF_A_SECOND = 1_000_000_000L;

    /** Asks once; throws {@link UncheckedIOException} when there is no answer. */
    static UsagePage ask(String host, int port) {
        try (Socket socket = connect(host, port)) {
            return of(answer(socket, reader(socket)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Asks for its clock some times; throws {@link UncheckedIOException} when there is no answer. */
    static List<ClockDistance.Look> clock(String host, int port) {
        List<ClockDistance.Look> looks = new ArrayList<>();
        try (Socket socket = connect(host, port)) {
            BufferedReader reader = reader(socket);
            for (int i = 0; i < CLOCK_LOOKS; i++) {
                looks.add(ClockDistance.look(
                        UsagePage::clockNanos,
                        () -> Long.parseLong(answer(socket, reader).get("clockNanos"))));
            }
            return looks;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long clockNanos() {
        Instant now = Instant.now();
        return now.getEpochSecond() * NANOS_OF_A_SECOND + now.getNano();
    }

    private static Socket connect(String host, int port) throws IOException {
        Socket socket = new Socket();
        try {
            socket.connect(new InetSocketAddress(host, port), BOUND_MILLIS);
            socket.setSoTimeout(BOUND_MILLIS);
            socket.setTcpNoDelay(true);
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    private static BufferedReader reader(Socket socket) throws IOException {
        return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
    }

    private static Map<String, String> answer(Socket socket, BufferedReader reader) {
        try {
            socket.getOutputStream().write('\n');
            Map<String, String> values = new HashMap<>();
            for (String line = reader.readLine(); ; line = reader.readLine()) {
                if (line == null) {
                    throw new IOException("the answer broke off");
                }
                if (line.isEmpty()) {
                    return values;
                }
                int space = line.indexOf(' ');
                values.put(line.substring(0, Math.max(0, space)), line.substring(space + 1));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static UsagePage of(Map<String, String> values) {
        String cpu = values.get("cpuNanos");
        String peak = values.get("memoryPeakBytes");
        return new UsagePage(
                values.getOrDefault("node", ""),
                cpu == null
                        ? Optional.empty()
                        : Optional.of(new ProcessUse(
                                Duration.ofNanos(Long.parseLong(cpu)),
                                bytes(values, "residentBytes"),
                                bytes(values, "writtenBytes"))),
                Long.parseLong(values.getOrDefault("startMillis", "0")),
                peak == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(peak)));
    }

    private static double bytes(Map<String, String> values, String key) {
        return Double.parseDouble(values.getOrDefault(key, "NaN"));
    }
}
