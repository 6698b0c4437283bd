package dev.millrace.perf.round;

/** Stops what runs when this process is ended (Ctrl-C), for as long as it is open. */
public final class StopHook implements AutoCloseable {
    private final Thread thread;

    public StopHook(String name, Runnable stop) {
        thread = new Thread(stop, name);
        Runtime.getRuntime().addShutdownHook(thread);
    }

    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(thread);
        } catch (IllegalStateException e) {
            // The process ends already: then hooks cannot be removed, and need not be.
        }
    }
}
