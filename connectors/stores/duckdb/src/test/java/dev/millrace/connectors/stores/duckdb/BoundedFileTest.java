package dev.millrace.connectors.stores.duckdb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.connectors.api.store.StoreBlock;
import dev.millrace.connectors.testkit.store.Blocks;
import dev.millrace.core.window.DeadLetter;
import dev.millrace.core.window.DeviceWindow;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
@DisplayName("The database file")
class BoundedFileTest {
    private static final long HOUR = 3_600_000;
    private static final int BLOCKS_PER_HOUR = 6;
    private static final int DEVICES = 1_000;

    @Test
    @DisplayName("does not grow with time: the room of dropped windows is used again")
    void bounded(@TempDir Path directory) throws IOException {
        long greatestOfFirstDays = 0;
        long greatest = 0;
        int hours = 96;
        try (Database database = Database.open(settings(directory))) {
            Retention retention = new Retention(database);
            for (int hour = 1; hour <= hours; hour++) {
                for (int block = 1; block <= BLOCKS_PER_HOUR; block++) {
                    long end = hour * HOUR + block * HOUR / BLOCKS_PER_HOUR;
                    database.insert(Blocks.block(end - 1, Blocks.windows(DEVICES, end)));
                }
                if (retention.apply()) {
                    database.checkpoint();
                }
                greatest = Math.max(greatest, database.fileBytes());
                if (hour == 30) {
                    greatestOfFirstDays = greatest;
                }
            }
            long rows = database.reading(connection -> Database.number(connection, "SELECT count(*) FROM windows"));
            assertThat(rows).isBetween(10L * BLOCKS_PER_HOUR * DEVICES, 12L * BLOCKS_PER_HOUR * DEVICES);
        }
        assertThat(greatest).isLessThan(greatestOfFirstDays * 5 / 4);
    }

    @Test
    @DisplayName(
            "keeps dead letters beside latest times no longer than beside windows, and says from when on it has them")
    void lettersBesideLatestTimes(@TempDir Path directory) throws IOException {
        try (Database database = Database.open(settings(directory))) {
            Retention retention = new Retention(database);
            // Of a quarter of an hour after the epoch.
            database.insert(Blocks.deadLetters(List.of(Blocks.deadLetter(0, 0, 10), Blocks.deadLetter(0, 1, 10))));
            database.insert(Blocks.latestTimes(10 * HOUR - 1, Blocks.latestTimes(5, 10 * HOUR)));
            assertThat(retention.apply()).isFalse();
            assertThat(letters(database)).isEqualTo(2);
            database.insert(Blocks.latestTimes(12 * HOUR - 1, Blocks.latestTimes(5, 12 * HOUR)));
            assertThat(retention.apply()).isTrue();
            assertThat(letters(database)).isZero();
            assertThat(database.reading(Progress::extent).retainedFrom()).isEqualTo(2 * HOUR);
            assertThat(database.reading(Progress::extent).latestTimes()).isEqualTo(5);
        }
    }

    private static long letters(Database database) throws IOException {
        return count(database, "dead_letters");
    }

    @Test
    @DisplayName("keeps the tokens of a job that was away for longer than they are kept, until it has come back")
    void tokensOfAJobThatWasAway(@TempDir Path directory) throws IOException {
        try (Database database = Database.open(settings(directory))) {
            Retention retention = new Retention(database);
            database.insert(Blocks.block(HOUR - 1, Blocks.windows(5, HOUR)));
            away(database, Duration.ofDays(8));
            retention.forgetTokens(Duration.ofDays(7));
            assertThat(tokens(database)).isEqualTo(1);
            database.insert(Blocks.block(2 * HOUR - 1, Blocks.windows(5, 2 * HOUR)));
            retention.forgetTokens(Duration.ofDays(7));
            assertThat(tokens(database)).isEqualTo(1);
        }
    }

    @Test
    @DisplayName("keeps a token that was asked for again, and all while the newest is of a clock that was wrong")
    void tokensInUse(@TempDir Path directory) throws IOException {
        try (Database database = Database.open(settings(directory))) {
            Retention retention = new Retention(database);
            StoreBlock again = Blocks.block(HOUR - 1, Blocks.windows(5, HOUR));
            database.insert(again);
            away(database, Duration.ofDays(8));
            database.insert(again);
            database.insert(Blocks.block(2 * HOUR - 1, Blocks.windows(5, 2 * HOUR)));
            retention.forgetTokens(Duration.ofDays(7));
            assertThat(tokens(database)).isEqualTo(2);
            away(database, Duration.ofDays(-8));
            database.insert(Blocks.block(3 * HOUR - 1, Blocks.windows(5, 3 * HOUR)));
            retention.forgetTokens(Duration.ofDays(7));
            assertThat(tokens(database)).isEqualTo(3);
        }
    }

    @Test
    @DisplayName(
            "has a window and a dead letter once, also when a job that has lost its checkpoints sends them in other blocks")
    void otherBlocks(@TempDir Path directory) throws IOException {
        try (Database database = Database.open(settings(directory))) {
            database.insert(Blocks.block(HOUR - 1, Blocks.windows(5, HOUR)));
            database.insert(Blocks.block(2 * HOUR - 1, Blocks.windows(5, 2 * HOUR)));
            database.insert(Blocks.deadLetters(letters(0, 10)));
            List<DeviceWindow> rows = new ArrayList<>(Blocks.windows(6, HOUR));
            rows.addAll(Blocks.windows(3, 2 * HOUR));
            rows.addAll(Blocks.windows(4, 3 * HOUR));
            database.insert(Blocks.block(3 * HOUR - 1, rows));
            database.insert(Blocks.deadLetters(letters(5, 12)));
            assertThat(count(database, "windows")).isEqualTo(6 + 5 + 4);
            assertThat(count(database, "(SELECT DISTINCT device_id, window_start FROM windows)"))
                    .isEqualTo(15);
            assertThat(letters(database)).isEqualTo(12);
            assertThat(count(database, "(SELECT DISTINCT position_major, position_minor FROM dead_letters)"))
                    .isEqualTo(12);
        }
    }

    /** Ledgers of a topic have the same entry numbers again, so what a block spans may be the whole table. */
    @Test
    @DisplayName("takes a block of dead letters with the memory for a block, however many letters there are")
    void manyLetters(@TempDir Path directory) throws IOException {
        try (Database database = Database.open(settings(directory, 64L << 20))) {
            database.insert(Blocks.deadLetters(letters(0, 1)));
            database.writing(
                    connection -> {
                        Database.execute(
                                connection,
                                "INSERT INTO dead_letters SELECT letter.* REPLACE (ledger.range AS position_major)"
                                        + " FROM dead_letters letter, range(1, 1000000) ledger");
                        return true;
                    },
                    done -> {});
            database.insert(Blocks.deadLetters(letters(0, 10)));
            database.insert(Blocks.deadLetters(letters(0, 10)));
            assertThat(letters(database)).isEqualTo(1_000_000 + 9);
        }
    }

    private static List<DeadLetter> letters(int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(i -> Blocks.deadLetter(0, i, 10))
                .toList();
    }

    private static long count(Database database, String rows) throws IOException {
        return database.reading(connection -> Database.number(connection, "SELECT count(*) FROM " + rows));
    }

    private static OwnerSettings settings(Path directory) {
        return settings(directory, 128L << 20);
    }

    private static OwnerSettings settings(Path directory, long memoryBytes) {
        return new OwnerSettings(
                directory.resolve("windows.duckdb"),
                OwnerSettings.LOOPBACK,
                "",
                1,
                "",
                Duration.ofHours(10),
                memoryBytes,
                1,
                Optional.empty());
    }

    private static void away(Database database, Duration time) {
        database.writing(
                connection -> {
                    Database.execute(
                            connection, "UPDATE _commits SET taken_millis = taken_millis - " + time.toMillis());
                    return true;
                },
                done -> {});
    }

    private static long tokens(Database database) throws IOException {
        return count(database, "_commits");
    }
}
