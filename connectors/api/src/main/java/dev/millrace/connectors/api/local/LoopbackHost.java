package dev.millrace.connectors.api.local;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Whether a request was meant for this machine. A server on loopback is not out of reach of web pages: a name of theirs may be
 * made to mean 127.0.0.1, and only the request's Host tells.
 */
public final class LoopbackHost {
    private static final Set<String> NAMES = Set.of("127.0.0.1", "localhost", "[::1]");

    private LoopbackHost() {}

    /** @param host the request's header, with or without a port; null when it has none */
    public static boolean isMeantBy(@Nullable String host) {
        return host != null && NAMES.contains(host.replaceFirst(":\\d+$", ""));
    }
}
