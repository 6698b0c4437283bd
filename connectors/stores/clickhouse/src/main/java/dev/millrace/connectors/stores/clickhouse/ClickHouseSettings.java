package dev.millrace.connectors.stores.clickhouse;

import dev.millrace.connectors.api.store.ResultStore;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.Options;
import dev.millrace.core.settings.UserException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * How a server is reached and what is made there. Immutable; it holds no password, only where one is found.
 *
 * @param url {@code http://HOST:PORT} or {@code https://HOST:PORT}
 * @param passwordFile its first line; else the environment variable {@value ResultStore#PASSWORD_VARIABLE}, else none
 * @param caFile certificates (PEM) that the server's must be signed by; else those that Java trusts
 * @param cluster tables are made ON CLUSTER, with Replicated engines; empty for a single server
 * @param compress blocks travel in LZ4
 * @param retention windows go when the server's clock is so far past their end; empty: never
 */
record ClickHouseSettings(
        URI url,
        String database,
        String user,
        Optional<Path> passwordFile,
        Optional<Path> caFile,
        String cluster,
        boolean compress,
        Mode mode,
        Optional<Duration> retention) {

    private static final int HTTP_PORT = 8123;
    private static final int HTTPS_PORT = 8443;
    private static final String NAME = "[A-Za-z_][A-Za-z0-9_]{0,63}";

    enum Mode {
        /** A block is taken once, by its token. */
        EXACTLY_ONCE,
        /** A block may be taken again; of equal rows the engine keeps one, and FINAL shows one. */
        AT_LEAST_ONCE
    }

    private enum Compression {
        LZ4,
        NONE
    }

    static ClickHouseSettings bind(Options options) {
        return options.bind("store 'clickhouse'", binder -> {
            // Known, so that the sentence about it is the only one.
            if (!binder.string("password", "").isEmpty()) {
                binder.problem("'password' does not belong among settings, where others can read it; put it into a file"
                        + " ('password-file') or into the environment variable " + ResultStore.PASSWORD_VARIABLE);
            }
            Duration none = Duration.ZERO;
            Duration retention = binder.duration("retention", none);
            return new ClickHouseSettings(
                    url(binder),
                    name(binder, "database", "default"),
                    binder.string("user", "default"),
                    file(binder, "password-file"),
                    file(binder, "ca-file"),
                    options.get("cluster").isEmpty() ? binder.string("cluster", "") : name(binder, "cluster", ""),
                    binder.oneOf("compression", Compression.LZ4, Compression.class) == Compression.LZ4,
                    binder.oneOf("mode", Mode.EXACTLY_ONCE, Mode.class),
                    retention.equals(none) ? Optional.empty() : Optional.of(retention));
        });
    }

    private static URI url(Options.Binder binder) {
        String text = binder.required("url", "http://HOST:8123 or https://HOST:8443");
        try {
            URI uri = URI.create(text);
            boolean secure = "https".equals(uri.getScheme());
            if (uri.getUserInfo() != null) {
                binder.problem("'url' has a user in it; name it by 'user', and the password by 'password-file' or "
                        + ResultStore.PASSWORD_VARIABLE);
            } else if ((secure || "http".equals(uri.getScheme()))
                    && uri.getHost() != null
                    && (uri.getPath().isEmpty() || uri.getPath().equals("/"))
                    && uri.getQuery() == null) {
                int port = uri.getPort() > 0 ? uri.getPort() : secure ? HTTPS_PORT : HTTP_PORT;
                return URI.create(uri.getScheme() + "://" + uri.getHost() + ":" + port);
            } else {
                badUrl(binder, text);
            }
        } catch (IllegalArgumentException e) {
            badUrl(binder, text);
        }
        return URI.create("http://127.0.0.1:" + HTTP_PORT);
    }

    private static void badUrl(Options.Binder binder, String text) {
        if (!text.isEmpty()) {
            // It may be a password that makes it no URL.
            binder.problem("'url' is '" + text.replaceFirst("//.*@", "//***@")
                    + "'; it must be of the form http://HOST:8123 or https://HOST:8443 (the database is named by"
                    + " 'database')");
        }
    }

    private static String name(Options.Binder binder, String key, String byDefault) {
        String name = binder.string(key, byDefault);
        if (!name.matches(NAME)) {
            binder.problem("'" + key + "' is '" + name + "'; at most 64 letters, digits and _, no digit first");
        }
        return name;
    }

    private static Optional<Path> file(Options.Binder binder, String key) {
        String text = binder.string(key, "");
        if (text.isEmpty()) {
            return Optional.empty();
        }
        Path path = Path.of(text);
        if (!path.isAbsolute()) {
            binder.problem("'" + key + "' is '" + text + "'; it must be an absolute path, for all processes alike");
        }
        return Optional.of(path);
    }

    /** Reads the password now: a file may be changed while a job runs. */
    String password() {
        if (passwordFile.isEmpty()) {
            return Optional.ofNullable(System.getenv(ResultStore.PASSWORD_VARIABLE))
                    .orElse("");
        }
        Path file = passwordFile.get();
        try {
            return Files.readString(file).lines().findFirst().orElse("");
        } catch (IOException e) {
            throw new EnvironmentException("cannot read the store's password from " + file + ": " + e, e);
        }
    }

    /** Refuses a file of certificates that is not there. */
    void check() {
        if (caFile.isPresent() && !Files.isReadable(caFile.get())) {
            throw new UserException("the certificates of 'ca-file' cannot be read: " + caFile.get());
        }
    }

    boolean isExactlyOnce() {
        return mode == Mode.EXACTLY_ONCE;
    }

    /** A table's full name, quoted. */
    String table(String name) {
        return "`" + database + "`.`" + name + "`";
    }
}
