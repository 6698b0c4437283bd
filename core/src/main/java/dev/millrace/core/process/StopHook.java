package dev.millrace.core.process;

/** Does something when this process is ended (Ctrl-C), for as long as it is open. Thread-safe. */
public final class StopHook implements AutoCloseable {
    private final Thread thread;

    /**
     * @param name of the thread that the virtual machine runs {@code stop} on
     * @throws IllegalStateException the process ends already
     */
    public StopHook(String name, Runnable stop) {
        thread = new Thread(stop, name);
        Runtime.getRuntime().addShutdownHook(thread);
    }

    /** Whether it was taken back, now: false when that was done before, or when the process ends, and the hook runs or has run. */
    public boolean remove() {
        try {
            return Runtime.getRuntime().removeShutdownHook(thread);
        } catch (IllegalStateException e) {
            return false;
        }
    }

    @Override
    public void close() {
        remove();
    }
}
