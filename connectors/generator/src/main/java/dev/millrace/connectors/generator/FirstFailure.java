package dev.millrace.connectors.generator;

import java.util.function.Consumer;

/** Work that is repeated until it fails: an executor leaves it out from then on, and tells nobody. */
final class FirstFailure {
    private FirstFailure() {}

    /** The work; its failure is told to {@code failed}, and then thrown. */
    static Runnable told(Runnable work, Consumer<RuntimeException> failed) {
        return () -> {
            try {
                work.run();
            } catch (RuntimeException e) {
                failed.accept(e);
                throw e;
            }
        };
    }
}
