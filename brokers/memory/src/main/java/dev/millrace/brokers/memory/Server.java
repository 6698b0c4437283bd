package dev.millrace.brokers.memory;

import dev.millrace.brokers.memory.log.LogServer;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;

/** The process: {@code Server PORT BYTES}. It keeps up to so many, which its heap must hold; it runs until it is told to end. */
public final class Server {
    private Server() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        int port = Integer.parseInt(args[0]);
        CountDownLatch ended = new CountDownLatch(1);
        long budgetBytes = Long.parseLong(args[1]);
        LogServer server = new LogServer(port, budgetBytes);
        Runtime.getRuntime().addShutdownHook(new Thread(ended::countDown, "memory-shutdown"));
        System.out.println("listening on 127.0.0.1:" + server.port() + ", keeping up to " + budgetBytes + " bytes");
        ended.await();
        server.close();
    }
}
