package dev.millrace.connectors.testkit.store;

import dev.millrace.connectors.api.store.LocalStore;
import dev.millrace.connectors.api.store.ResultStore;
import dev.millrace.connectors.api.store.ResultStores;
import dev.millrace.connectors.api.store.StoreClient;
import dev.millrace.core.settings.Options;
import dev.millrace.core.window.DeadLetter;
import dev.millrace.core.window.DeviceWindow;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The store under test with its server, its client and what nearly every sentence does with them. The tests of a class share nothing, so
 * they may run at once, where JUnit is told to.
 */
@Timeout(300)
@Execution(ExecutionMode.CONCURRENT)
abstract class StoreBench {
    static final Duration BOUND = Duration.ofSeconds(30);
    static final long MINUTE = 60_000;

    @TempDir
    protected Path directory;

    protected LocalStore local;
    protected StoreClient client;

    /** The name by which the store is found. */
    protected abstract String name();

    /** What the server is given in every test. */
    protected Options localOptions() {
        return Options.none();
    }

    /** A server of this test's own, on data in {@code directory}. */
    protected LocalStore startServer(Path directory, Options options) {
        return store().startLocal(directory, options);
    }

    /** A client that sees to it that windows go when they are so old; the server may be another afterwards. */
    protected StoreClient connectRetaining(String retention) {
        local.close();
        local = startServer(directory, localOptions().with("retention", retention));
        return store().connect(local.options());
    }

    /** Which requests to the server are inserts. */
    protected abstract Predicate<URI> isInsert();

    /** The rows of the windows table as they lie there, before equal ones are taken for one. */
    protected long storedRows() {
        return client.extent().windows();
    }

    ResultStore store() {
        return ResultStores.named(name());
    }

    @BeforeEach
    void start() {
        local = startServer(directory, localOptions());
        client = store().connect(local.options());
        client.prepare();
    }

    @AfterEach
    void stop() {
        client.close();
        local.close();
    }

    protected final List<DeviceWindow> windows(long from, long to) {
        List<DeviceWindow> windows = new ArrayList<>();
        client.windows(from, to, windows::add);
        return windows;
    }

    protected final List<DeviceWindow> windows() {
        return windows(Long.MIN_VALUE, Long.MAX_VALUE);
    }

    List<DeadLetter> deadLetters() {
        List<DeadLetter> letters = new ArrayList<>();
        client.deadLetters(letters::add);
        return letters;
    }

    static void await(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + BOUND.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("within " + BOUND + " it did not happen that " + what);
            }
            LockSupport.parkNanos(5_000_000);
        }
    }
}
