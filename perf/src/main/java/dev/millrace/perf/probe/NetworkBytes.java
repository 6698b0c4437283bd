package dev.millrace.perf.probe;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What the whole machine has sent since it started (proc(5), net/dev); of one process Linux does not say. All 0 where there is no
 * {@code /proc}.
 *
 * @param loopbackBytes between processes of this machine, each counted once
 * @param otherBytes in and out of the machine, on all other interfaces
 */
public record NetworkBytes(long loopbackBytes, long otherBytes) {
    private static final int SENT = 8;

    public static NetworkBytes now() {
        try {
            return parse(Files.readAllLines(Path.of("/proc/net/dev")));
        } catch (IOException e) {
            return new NetworkBytes(0, 0);
        }
    }

    static NetworkBytes parse(List<String> lines) {
        long loopback = 0;
        long others = 0;
        for (String line : lines) {
            int colon = line.indexOf(':');
            if (colon > 0) {
                String[] columns = line.substring(colon + 1).strip().split("\\s+");
                long received = Long.parseLong(columns[0]);
                if (line.substring(0, colon).strip().equals("lo")) {
                    loopback += received;
                } else {
                    others += received + Long.parseLong(columns[SENT]);
                }
            }
        }
        return new NetworkBytes(loopback, others);
    }

    /** What was sent between {@code before} and this. */
    public NetworkBytes since(NetworkBytes before) {
        return new NetworkBytes(loopbackBytes - before.loopbackBytes, otherBytes - before.otherBytes);
    }
}
