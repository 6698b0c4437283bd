package dev.millrace.deploy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A request as a stranger may send it: the JDK's clients allow neither another Host nor none. */
public final class RawRequest {
    private static final int BOUND_MILLIS = 20_000;

    private RawRequest() {}

    /** Status line, headers and body of the answer. */
    public static String send(int port, String method, String path, String... headers) throws IOException {
        try (Socket socket = new Socket(InetAddress.getByName("127.0.0.1"), port)) {
            socket.setSoTimeout(BOUND_MILLIS);
            String request = method + " " + path + " HTTP/1.1\r\nConnection: close\r\n"
                    + String.join(
                            "",
                            java.util.Arrays.stream(headers)
                                    .map(header -> header + "\r\n")
                                    .toList()) + "\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** A GET as browsers on this machine send it. */
    public static String get(int port, String path) throws IOException {
        return send(port, "GET", path, "Host: 127.0.0.1:" + port);
    }

    /** What follows the headers. */
    public static String body(String answer) {
        return answer.substring(answer.indexOf("\r\n\r\n") + 4);
    }
}
