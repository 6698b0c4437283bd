package dev.millrace.brokers.memory;

import dev.millrace.brokers.memory.log.LogServer;
import dev.millrace.core.settings.EnvironmentException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The server inside this process that everyone with {@code address=inprocess} shares; it ends with the process. */
final class InProcess {
    private static @Nullable LogServer shared;

    private InProcess() {}

    static synchronized String sharedAddress() {
        if (shared == null) {
            shared = start(0, budgetBytes(Runtime.getRuntime().maxMemory() / 2));
        }
        return "127.0.0.1:" + shared.port();
    }

    static LogServer start(int port, long budgetBytes) {
        try {
            return new LogServer(port, budgetBytes);
        } catch (IOException e) {
            throw new EnvironmentException(
                    "the memory broker cannot listen on 127.0.0.1:" + port + ": " + e.getMessage(), e);
        }
    }

    /** What of a heap the log may keep; the rest is for what is on its way. */
    static long budgetBytes(long heapBytes) {
        return heapBytes / 20 * 17;
    }
}
