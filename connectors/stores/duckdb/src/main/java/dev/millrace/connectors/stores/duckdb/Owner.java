package dev.millrace.connectors.stores.duckdb;

import dev.millrace.connectors.api.store.ServedStore;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.Options;
import dev.millrace.core.settings.UserException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/**
 * The one who opens the database file, in a process of its own: {@code Owner --settings FILE}. That may be killed at any moment; what
 * it has answered is in the file or its log. SIGTERM stops it in order.
 */
public final class Owner implements ServedStore {
    private static final System.Logger LOG = System.getLogger(Owner.class.getName());

    static {
        // The HTTP server reads them once.
        // A client that stops in the middle of a request must not hold one of the few threads for ever.
        System.setProperty("sun.net.httpserver.maxReqTime", "60");
        System.setProperty("sun.net.httpserver.maxRspTime", "900");
        // Head and body of an answer are two writes; with Nagle's algorithm the second waits 40 ms for the first one's
        // receipt.
        System.setProperty("sun.net.httpserver.nodelay", "true");
    }

    private final OwnerSettings settings;
    private final Database database;
    private final Housekeeper housekeeper;
    private final OwnerServer server;

    Owner(OwnerSettings settings) {
        this.settings = settings;
        database = Database.open(settings);
        housekeeper = new Housekeeper(database);
        server = new OwnerServer(database, housekeeper);
        server.start();
        LOG.log(
                System.Logger.Level.INFO,
                "store of " + settings.file() + " listens on " + settings.host() + ":" + settings.port());
    }

    public static void main(String[] arguments) {
        try {
            Owner owner = new Owner(settings(arguments));
            CountDownLatch stopped = new CountDownLatch(1);
            Runtime.getRuntime()
                    .addShutdownHook(new Thread(
                            () -> {
                                owner.close();
                                stopped.countDown();
                            },
                            "store-stop"));
            stopped.await();
        } catch (UserException e) {
            exit(2, e.getMessage());
        } catch (EnvironmentException e) {
            exit(3, e.getMessage());
        } catch (InterruptedException e) {
            exit(1, "interrupted");
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.ERROR, "the store's owner failed", e);
            exit(1, e.toString());
        }
    }

    private static void exit(int code, String sentence) {
        System.err.println(sentence);
        System.exit(code);
    }

    private static OwnerSettings settings(String[] arguments) {
        if (arguments.length != 2 || !arguments[0].equals("--settings")) {
            throw new UserException("usage: Owner --settings FILE");
        }
        return OwnerSettings.read(Path.of(arguments[1]));
    }

    /** Of one that speaks plain HTTP. */
    @Override
    public Options options() {
        return Options.of(Map.of("url", "http://" + settings.host() + ":" + settings.port(), "id", settings.id()));
    }

    @Override
    public void close() {
        server.close();
        housekeeper.close();
        database.close();
    }
}
