package dev.millrace.brokers.memory;

import dev.millrace.core.settings.Options;
import java.io.Serializable;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * How a client reaches the server and what it holds back.
 *
 * @param address {@code HOST:PORT}, or {@code inprocess} for a server inside this process that everyone in it shares
 * @param bufferBytes what a publisher accepts before it has receipts
 * @param linger how long a publisher waits for more before it sends a small batch
 */
record MemoryOptions(String address, long bufferBytes, Duration linger) implements Serializable {
    static final String IN_PROCESS = "inprocess";
    private static final String BUFFER = "buffer";
    private static final String LINGER = "linger";
    private static final Pattern HOST_AND_PORT = Pattern.compile("[^:\\s]+:\\d{1,5}");

    static MemoryOptions bind(Options options) {
        return options.bind("broker 'memory'", binder -> {
            String address = binder.required("address", "HOST:PORT of the server, or " + IN_PROCESS);
            if (!address.isEmpty()
                    && !address.equals(IN_PROCESS)
                    && !HOST_AND_PORT.matcher(address).matches()) {
                binder.problem("'address' is '" + address + "'; it must be HOST:PORT or " + IN_PROCESS);
            }
            return new MemoryOptions(address, buffer(binder), linger(binder));
        });
    }

    private static long buffer(Options.Binder binder) {
        return binder.bytes(BUFFER, 32 << 20);
    }

    private static Duration linger(Options.Binder binder) {
        return binder.duration(LINGER, Duration.ofMillis(2));
    }

    /** Those of {@code options} that say what a client holds back; what is wrong with them is recorded. */
    static Map<String, String> held(Options options, Options.Binder binder) {
        buffer(binder);
        linger(binder);
        Map<String, String> held = new HashMap<>(options.asMap());
        held.keySet().retainAll(Set.of(BUFFER, LINGER));
        return held;
    }
}
