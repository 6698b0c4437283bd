package dev.millrace.deploy.local.part;

import java.util.Optional;

/** One process of a stack as its supervisor sees it. Thread-safe. */
public interface Part {

    String name();

    /** Starts it, or takes over the one that is alive; returns when others can use it, or when it was only spawned. */
    void start();

    boolean isAlive();

    /** 0 when it does not run. */
    long pid();

    /** SIGKILL, if it runs; returns when it is gone. */
    void kill();

    /** SIGTERM, SIGKILL after a bound; returns when it is gone. */
    void stop();

    /** Where people or commands reach it; empty for none. */
    String url();

    /** Its Prometheus endpoint; empty for none. */
    String metricsUrl();

    /** Its log, a file; empty until it was started. */
    String log();

    /** A person runs it: it is only used. */
    default boolean isForeign() {
        return false;
    }

    /** How it ended by itself, to go behind "ended"; empty where nobody knows, or ended it. */
    default Optional<String> ending() {
        return Optional.empty();
    }

    /** The sentence of a part that ended because its settings are wrong. */
    default Optional<String> refusal() {
        return Optional.empty();
    }
}
