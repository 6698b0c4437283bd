package dev.millrace.connectors.api.local;

import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.UserException;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Picks loopback ports: the well-known one first, the next free one when it is taken. */
public final class Ports {
    private static final int TRIES = 2000;
    private static final Set<Integer> GIVEN = new HashSet<>();
    private static final Set<Integer> RESERVED = new HashSet<>();

    /** Where a port is held for its server until that listens on 127.0.0.1. */
    private static final String HOLD = "127.0.0.2";

    private static final List<SocketChannel> HELD = new ArrayList<>();

    private Ports() {}

    /** Leaves ports that a person named to those for whom they were named: nobody else in this process chooses one of them. */
    public static synchronized void reserve(Set<Integer> named) {
        RESERVED.addAll(named);
    }

    private static boolean isOpen(int port) {
        return !RESERVED.contains(port) && isFree(port);
    }

    /**
     * Gives the port of an earlier start out again; false when somebody listens there, when it was named for somebody else, or when
     * another process that is alive has chosen it.
     */
    public static synchronized boolean again(int port) {
        if (!isOpen(port) || !GIVEN.contains(port) && !hold(port)) {
            return false;
        }
        GIVEN.add(port);
        return true;
    }

    /**
     * The first free port from {@code preferred} on that neither this process has given out before nor another one that is
     * alive: two stacks that start at the same moment would choose the same ones.
     */
    public static synchronized int firstFree(int preferred) {
        for (int port = preferred; port < Math.min(preferred + TRIES, 65536); port++) {
            if (!GIVEN.contains(port) && isOpen(port) && hold(port)) {
                GIVEN.add(port);
                return port;
            }
        }
        throw new EnvironmentException("no free port on 127.0.0.1 from " + preferred + " on");
    }

    /**
     * Binds the port on another loopback address, without listening there, as long as this process lives; false when another
     * process did. Where that address is not there (macOS has 127.0.0.1 only) nobody holds anything.
     */
    private static boolean hold(int port) {
        try {
            SocketChannel holder = SocketChannel.open();
            try {
                HELD.add(holder.bind(new InetSocketAddress(HOLD, port)));
                return true;
            } catch (BindException e) {
                holder.close();
                return !isHere(HOLD);
            }
        } catch (IOException e) {
            return true;
        }
    }

    @SuppressWarnings("try")
    private static boolean isHere(String address) {
        try (SocketChannel any = SocketChannel.open().bind(new InetSocketAddress(address, 0))) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** The port that a person named; taken is the person's to mend. */
    public static int named(int port, String option) {
        refusal(port).ifPresent(refusal -> {
            throw new UserException("port " + port + " (" + option + ") " + refusal + "; name a free one or leave the"
                    + " option out and the next free one is used");
        });
        return port;
    }

    /** Whether a server could listen there now. */
    public static boolean isFree(int port) {
        return refusal(port).isEmpty();
    }

    /** Why no server could listen there now, as the end of a sentence; empty when one could. */
    public static Optional<String> refusal(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return Optional.empty();
        } catch (IOException e) {
            // The system's own words: a port below 1024 may be forbidden, which is not taken.
            boolean forbidden = String.valueOf(e.getMessage()).startsWith("Permission denied");
            return Optional.of(forbidden ? "is not for this user on 127.0.0.1" : "is taken on 127.0.0.1");
        }
    }
}
