package dev.millrace.perf.kubernetes;

import dev.millrace.perf.run.stage.Interruption;
import java.time.Duration;

/** Interrupts a thread that does a long thing when a person wants the benchmark to end meanwhile; until it is closed. */
final class Interrupter implements AutoCloseable {
    private static final Duration LOOK = Duration.ofMillis(200);

    private final Thread watch;

    Interrupter(Interruption interruption, Thread worker) {
        watch = new Thread(
                () -> {
                    try {
                        while (true) {
                            interruption.await(LOOK);
                        }
                    } catch (InterruptedException e) {
                        if (interruption.isAsked()) {
                            worker.interrupt();
                        }
                    }
                },
                "benchmark-interrupter");
        watch.setDaemon(true);
        watch.start();
    }

    @Override
    public void close() {
        watch.interrupt();
    }
}
