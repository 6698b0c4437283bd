package dev.millrace.brokers.memory.log;

/** What a server inside this process has instead of SIGSTOP: shut, every session waits. Thread-safe. */
final class Gate {
    private boolean open = true;

    synchronized void set(boolean nowOpen) {
        open = nowOpen;
        notifyAll();
    }

    synchronized void pass() throws InterruptedException {
        while (!open) {
            wait();
        }
    }
}
