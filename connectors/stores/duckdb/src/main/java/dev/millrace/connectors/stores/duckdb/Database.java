package dev.millrace.connectors.stores.duckdb;

import dev.millrace.connectors.api.store.RowColumns;
import dev.millrace.connectors.api.store.StoreBlock;
import dev.millrace.connectors.api.store.StoreTable;
import dev.millrace.connectors.api.store.StoreView;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.duckdb.DuckDBConnection;

/**
 * The database file: one writer at a time, readers beside it on connections of their own. Thread-safe.
 *
 * <p>Transactions are begun in SQL: with JDBC's {@code setAutoCommit(false)} an appender that comes first writes outside the
 * transaction, and a rollback leaves its rows behind.
 */
final class Database implements AutoCloseable {
    private static final long LOCK_SECONDS = 60;

    /** What became of a block. */
    enum Outcome {
        STORED,
        /** Its token was taken before; nothing was changed. */
        REPEATED
    }

    /** The outcome with what the block added; nothing when it was repeated. */
    record Insert(Outcome outcome, Rows.Appended appended) {}

    /** Work on a connection. */
    interface Work<R> {
        R on(DuckDBConnection connection) throws SQLException, IOException;
    }

    private final OwnerSettings settings;
    private final ReentrantLock writing = new ReentrantLock(true);
    /** Held shared by all who use connections, exclusively to open the file again after DuckDB gave it up. */
    private final ReentrantReadWriteLock instance = new ReentrantReadWriteLock(true);

    private volatile DuckDBConnection writer;
    private volatile long lastWindowEnd;

    private Database(OwnerSettings settings) throws SQLException {
        this.settings = settings;
        this.writer = connect();
    }

    /** Opens the file, makes what is missing and checks what is there. */
    static Database open(OwnerSettings settings) {
        try {
            Path directory = settings.file().toAbsolutePath().getParent();
            if (directory != null) {
                Files.createDirectories(directory);
            }
            return new Database(settings);
        } catch (SQLException | IOException e) {
            throw new EnvironmentException(
                    "cannot open the database " + settings.file() + ": " + firstLine(e)
                            + "; only one process may open it, and its directory must be writable",
                    e);
        }
    }

    private DuckDBConnection connect() throws SQLException {
        Properties properties = new Properties();
        properties.setProperty("memory_limit", (settings.memoryBytes() >> 20) + "MiB");
        // Of two, each spins while the other still writes a checkpoint: a quarter of the CPU that a row cost.
        properties.setProperty("threads", "1");
        // Results come row by row, never as a whole in memory.
        properties.setProperty("jdbc_stream_results", "true");
        DuckDBConnection connection =
                (DuckDBConnection) DriverManager.getConnection("jdbc:duckdb:" + settings.file(), properties);
        try {
            prepare(connection);
            return connection;
        } catch (SQLException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    private void prepare(DuckDBConnection connection) throws SQLException {
        // More than a row group of windows: with less, each checkpoint compresses the last one's rows again.
        execute(connection, "SET checkpoint_threshold = '64MiB'");
        execute(connection, "SET max_temp_directory_size = '1GiB'");
        execute(connection, "SET enable_external_access = false");
        execute(connection, "SET lock_configuration = true");
        for (StoreTable table : StoreTable.values()) {
            execute(connection, Rows.createTable(table));
            checkColumns(connection, table);
            execute(connection, Rows.createDraft(table));
        }
        execute(
                connection,
                "CREATE TABLE IF NOT EXISTS _commits (token_hash INTEGER, token VARCHAR, taken_millis BIGINT)");
        execute(connection, "CREATE TABLE IF NOT EXISTS _progress (writers INTEGER, writer INTEGER, watermark BIGINT)");
        execute(connection, "CREATE TABLE IF NOT EXISTS _retention (retained_from BIGINT)");
        execute(connection, "INSERT INTO _retention SELECT " + minimum() + " WHERE NOT EXISTS (FROM _retention)");
        for (StoreView view : StoreView.values()) {
            execute(connection, "CREATE OR REPLACE VIEW " + view.sqlName() + " AS " + view.sql(Database.class));
        }
        lastWindowEnd = number(connection, "SELECT coalesce(max(window_end), " + minimum() + ") FROM windows");
    }

    /** SQL has no literal for the least long: the minus is an operator on a number that is too large. */
    static String minimum() {
        return "CAST('" + Long.MIN_VALUE + "' AS BIGINT)";
    }

    private void checkColumns(DuckDBConnection connection, StoreTable table) throws SQLException {
        List<String> there = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("DESCRIBE " + table.sqlName())) {
            while (row.next()) {
                there.add(row.getString(1) + " " + row.getString(2));
            }
        }
        List<String> wanted = RowColumns.of(table).stream()
                .map(column -> column.name() + " " + Rows.sqlType(column.type()))
                .toList();
        if (!there.equals(wanted)) {
            throw new UserException("the table " + table.sqlName() + " in " + settings.file() + " has the columns "
                    + there + " and this version needs " + wanted + "; move the file away and start again");
        }
    }

    /** Inserts a block in one transaction; IllegalArgumentException for rows that can never be stored. */
    Insert insert(StoreBlock block) {
        checkRoom(block.bytes().length);
        return writing(
                connection -> {
                    if (block.rows() > 0 && Tokens.taken(connection, block.token())) {
                        Tokens.renew(connection, block.token());
                        return new Insert(Outcome.REPEATED, Rows.Appended.nothing());
                    }
                    Rows.Appended appended = Rows.insert(connection, block, Progress.completeTo(connection));
                    if (block.rows() > 0) {
                        Tokens.remember(connection, block.token());
                    }
                    if (block.table().reportsProgress()) {
                        Progress.advance(connection, block.writers(), block.writer(), block.watermark());
                    }
                    return new Insert(Outcome.STORED, appended);
                },
                inserted -> lastWindowEnd =
                        Math.max(lastWindowEnd, inserted.appended().ends().greatest()));
    }

    private void checkRoom(long bytes) {
        long usable;
        try {
            usable = Files.getFileStore(settings.file()).getUsableSpace();
        } catch (IOException e) {
            throw new Unavailable(
                    "cannot tell how much room the disk of " + settings.file() + " has: " + e.getMessage(), e);
        }
        if (usable < settings.minFreeDiskBytes() + 4 * bytes) {
            throw new Unavailable(
                    "the disk of " + settings.file() + " has " + usable + " bytes left and at least "
                            + settings.minFreeDiskBytes() + " must stay free; nothing was stored, make room",
                    null);
        }
    }

    /** Runs {@code work} in the one transaction that writes; {@code committed} is told after the commit. */
    <R> R writing(Work<R> work, java.util.function.Consumer<R> committed) {
        lock();
        boolean broken = false;
        try {
            instance.readLock().lock();
            DuckDBConnection connection = writer;
            try {
                execute(connection, "BEGIN TRANSACTION");
                R result = work.on(connection);
                execute(connection, "COMMIT");
                committed.accept(result);
                return result;
            } catch (SQLException | IOException e) {
                broken = !rolledBack(connection);
                throw new Unavailable("the store could not write and stored nothing of it: " + firstLine(e), e);
            } catch (RuntimeException e) {
                broken = !rolledBack(connection);
                throw e;
            } finally {
                instance.readLock().unlock();
            }
        } finally {
            unlock(broken);
        }
    }

    private void lock() {
        try {
            if (!writing.tryLock(LOCK_SECONDS, TimeUnit.SECONDS)) {
                throw new Unavailable("another block has been writing for " + LOCK_SECONDS + " s", null);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Unavailable("the store is stopping", e);
        }
    }

    private void unlock(boolean broken) {
        try {
            if (broken) {
                reopen();
            }
        } finally {
            writing.unlock();
        }
    }

    /** Whether the connection is usable again. DuckDB gives a database up for good when a write to its log fails. */
    private static boolean rolledBack(DuckDBConnection connection) {
        try {
            execute(connection, "ROLLBACK");
        } catch (SQLException e) {
            // A failed COMMIT has ended the transaction already; what counts is whether it still answers.
        }
        try {
            number(connection, "SELECT count(*) FROM _retention");
            return true;
        } catch (SQLException e) {
            return false;
        }
    }

    /** Opens the file again after DuckDB gave it up; the log on disk says what was committed. */
    private void reopen() {
        try {
            if (!instance.writeLock().tryLock(LOCK_SECONDS, TimeUnit.SECONDS)) {
                throw new Unavailable("the database must be opened again and readers still hold it", null);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Unavailable("the store is stopping", e);
        }
        try {
            writer.close();
            writer = connect();
        } catch (SQLException e) {
            throw new Unavailable("the database cannot be opened again: " + firstLine(e), e);
        } finally {
            instance.writeLock().unlock();
        }
    }

    /** Runs {@code work} on a connection of its own, in a read-only transaction: one state of all tables. */
    <R> R reading(Work<R> work) throws IOException {
        instance.readLock().lock();
        try (DuckDBConnection connection = (DuckDBConnection) writer.duplicate()) {
            execute(connection, "BEGIN TRANSACTION READ ONLY");
            try {
                return work.on(connection);
            } finally {
                execute(connection, "ROLLBACK");
            }
        } catch (SQLException e) {
            throw new Unavailable("the store could not read: " + firstLine(e), e);
        } finally {
            instance.readLock().unlock();
        }
    }

    /** Writes the log into the file, so that the room of dropped rows is used again. */
    void checkpoint() {
        checkRoom(logBytes());
        lock();
        boolean broken = false;
        try {
            instance.readLock().lock();
            try {
                execute(writer, "CHECKPOINT");
            } catch (SQLException e) {
                broken = !rolledBack(writer);
                throw new Unavailable("no checkpoint of the database this time: " + firstLine(e), e);
            } finally {
                instance.readLock().unlock();
            }
        } finally {
            unlock(broken);
        }
    }

    long lastWindowEnd() {
        return lastWindowEnd;
    }

    OwnerSettings settings() {
        return settings;
    }

    /** Bytes of the file and its log. */
    long fileBytes() {
        return size(settings.file()) + logBytes();
    }

    long logBytes() {
        return size(settings.file().resolveSibling(settings.file().getFileName() + ".wal"));
    }

    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            return 0;
        }
    }

    static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    static long number(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }

    /** DuckDB's messages go on with the statement and a pointer into it; the first line says it. */
    static String firstLine(Exception e) {
        String message = String.valueOf(e.getMessage());
        return message.lines().findFirst().orElse(message);
    }

    @Override
    public void close() {
        lock();
        try {
            writer.close();
        } catch (SQLException e) {
            throw new EnvironmentException("the database did not close in order: " + firstLine(e), e);
        } finally {
            writing.unlock();
        }
    }
}
