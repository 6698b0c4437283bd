package dev.millrace.connectors.api.local;

import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.UserException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;

/** Picks loopback ports: the well-known one first, the next free one when it is taken. */
public final class Ports {
    private static final int TRIES = 2000;
    private static final Set<Integer> GIVEN = new HashSet<>();

    private Ports() {}

    /** The first free port from {@code preferred} on that this process has not given out before. */
    public static synchronized int firstFree(int preferred) {
        for (int port = preferred; port < Math.min(preferred + TRIES, 65536); port++) {
            if (!GIVEN.contains(port) && isFree(port)) {
                GIVEN.add(port);
                return port;
            }
        }
        throw new EnvironmentException("no free port on 127.0.0.1 from " + preferred + " on");
    }

    /** The port that a person named; taken is the person's to mend. */
    public static int named(int port, String option) {
        if (!isFree(port)) {
            throw new UserException(
                    "port " + port + " (" + option + ") is taken on 127.0.0.1; name a free one or leave the"
                            + " option out and the next free one is used");
        }
        return port;
    }

    /** Whether a server could listen there now. */
    public static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
