package dev.millrace.connectors.testkit.broker;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The ONE local server of a class of sentences, in a directory of its own, and always stopped. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 180, unit = TimeUnit.SECONDS)
abstract class Served implements Subject, Chapter {

    @TempDir
    static Path temporary;

    private @Nullable Bench bench;
    private @Nullable Throwable failure;

    @BeforeAll
    void startServer() {
        try {
            bench = new Bench(this, temporary.resolve(getClass().getSimpleName()));
        } catch (RuntimeException | Error e) {
            // Each sentence says it: to whoever writes a plugin, all are red until there is a server.
            failure = e;
        }
    }

    @AfterAll
    void stopServer() {
        if (bench != null) {
            bench.close();
        }
    }

    @Override
    public final Bench bench() {
        if (bench == null) {
            throw new AssertionError("no server: " + failure, failure);
        }
        return bench;
    }
}
