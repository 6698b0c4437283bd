package dev.millrace.connectors.testkit.store;

import dev.millrace.connectors.api.local.LocalServer;
import dev.millrace.connectors.api.store.LocalStore;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.Options;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * ClickHouse's current engine behind its HTTP interface, a process of its own on loopback. What is not there is said in {@code
 * engine.py}.
 */
public final class ClickHouseEngine extends LocalServer implements LocalStore {
    private static final int FIRST_PORT = 18123;
    private static final int ASK_BOUND_MILLIS = 5_000;

    private final Path python;
    private final String password;

    private ClickHouseEngine(Path directory, String password) {
        super("ClickHouse engine", "engine", directory);
        this.python = EnginePython.interpreter();
        this.password = password;
    }

    /** One on a free port, data below {@code directory}; returns when it answers. */
    public static ClickHouseEngine start(Path directory) {
        return start(directory, "");
    }

    /** The same for a user {@code default} with a password. */
    public static ClickHouseEngine start(Path directory, String password) {
        ClickHouseEngine engine = new ClickHouseEngine(directory, password);
        engine.start(0, FIRST_PORT);
        return engine;
    }

    @Override
    protected void prepare() {
        try (InputStream in = ClickHouseEngine.class.getResourceAsStream("engine.py")) {
            Files.copy(in, script(), StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new EnvironmentException("cannot write " + script() + ": " + e.getMessage(), e);
        }
    }

    private Path script() {
        return directory().resolve("engine.py");
    }

    @Override
    protected List<String> command() {
        return List.of(
                python.toString(),
                script().toString(),
                "--port",
                Integer.toString(port()),
                "--path",
                directory().resolve("data").toString());
    }

    @Override
    protected Map<String, String> environment() {
        return Map.of("ENGINE_PASSWORD", password);
    }

    @Override
    protected Optional<String> problem() {
        try {
            HttpURLConnection connection = (HttpURLConnection)
                    URI.create(url()).resolve("/ping").toURL().openConnection();
            connection.setConnectTimeout(ASK_BOUND_MILLIS);
            connection.setReadTimeout(ASK_BOUND_MILLIS);
            int status = connection.getResponseCode();
            connection.disconnect();
            return status == 200 ? Optional.empty() : Optional.of("it answers " + status);
        } catch (IOException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    @Override
    public Options options() {
        return Options.of(Map.of("url", url()));
    }

    @Override
    public String url() {
        return "http://" + address();
    }
}
