package dev.millrace.connectors.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.core.settings.LocalFolder;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("What a JobManager goes on from")
class CheckpointsTest {
    @TempDir
    Path directory;

    private Path checkpoints;
    private Path savepoints;

    @BeforeEach
    void folders() throws IOException {
        checkpoints = Files.createDirectories(directory.resolve("checkpoints"));
        savepoints = Files.createDirectories(directory.resolve("savepoints"));
    }

    @Test
    @DisplayName("is the completed checkpoint with the greatest number, also of two digits")
    void greatestCheckpoint() throws IOException {
        checkpoint(9);
        checkpoint(10);
        Files.createDirectories(checkpoints.resolve("job/chk-11"));
        Files.write(Files.createDirectories(checkpoints.resolve("job/chk-12")).resolve("_metadata"), new byte[40]);
        assertThat(newest()).hasToString(snapshot(checkpoints.resolve("job/chk-10"), 10, false));
    }

    @Test
    @DisplayName("is a savepoint when it is newer than every checkpoint, and a checkpoint when that is newer")
    void newerSavepoint() throws IOException {
        checkpoint(5);
        savepoint("savepoint-b", 4);
        assertThat(newest()).hasToString(snapshot(checkpoints.resolve("job/chk-5"), 5, false));
        savepoint("savepoint-a", 6);
        assertThat(newest()).hasToString(snapshot(savepoints.resolve("savepoint-a"), 6, true));
        checkpoint(7);
        assertThat(newest()).hasToString(snapshot(checkpoints.resolve("job/chk-7"), 7, false));
    }

    @Test
    @DisplayName("is never a savepoint alone: what came after it is gone, and would be stored twice")
    void savepointAlone() throws IOException {
        savepoint("savepoint-a", 6);
        assertThat(Checkpoints.latest(checkpoints.toString(), savepoints.toString()))
                .isEmpty();
        checkpoint(5);
        assertThat(Checkpoints.latest(LocalFolder.location(checkpoints), ""))
                .hasValueSatisfying(found -> assertThat(found.number()).isEqualTo(5));
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "with a blank", "5%20%", "#1?", "it's"})
    @DisplayName("is looked for in the very folder that Flink was told, however it is called")
    void oddlyCalled(String name) {
        Path folder = directory.resolve(name);
        String location = LocalFolder.location(folder);
        org.apache.flink.core.fs.Path flinks = new org.apache.flink.core.fs.Path(location);
        assertThat(flinks.getPath()).isEqualTo(folder.toString());
        assertThat(LocalFolder.of(location)).contains(folder);
        // As Flink says where a savepoint is.
        assertThat(LocalFolder.of(flinks.toString())).contains(folder);
        assertThat(LocalFolder.of(folder.toString())).contains(folder);
        assertThat(LocalFolder.of("s3://bucket/" + name)).isEmpty();
    }

    @Test
    @DisplayName("is found also where the folders are links to where they outlive their machine")
    void behindLinks() throws IOException {
        checkpoint(5);
        savepoint("savepoint-a", 6);
        Path linked = Files.createSymbolicLink(directory.resolve("linked-checkpoints"), checkpoints);
        Path linkedSavepoints = Files.createSymbolicLink(directory.resolve("linked-savepoints"), savepoints);
        assertThat(Checkpoints.latest(linked.toString(), "").orElseThrow().folder())
                .isEqualTo(linked.resolve("job/chk-5"));
        assertThat(Checkpoints.latest(LocalFolder.location(linked), linkedSavepoints.toString())
                        .orElseThrow()
                        .number())
                .isEqualTo(6);
    }

    @Test
    @DisplayName("lets the older checkpoints beside it go")
    void olderOnes() throws IOException {
        for (int number = 8; number <= 11; number++) {
            checkpoint(number);
        }
        Checkpoints.dropOlder(checkpoints.resolve("job/chk-10"));
        assertThat(checkpoints.resolve("job"))
                .isDirectoryContaining("glob:**chk-10")
                .isDirectoryContaining("glob:**chk-11")
                .isDirectoryNotContaining("glob:**chk-9")
                .isDirectoryNotContaining("glob:**chk-8");
    }

    @Test
    @DisplayName("keeps the older checkpoints beside it until a later one shows that its files could be read")
    void olderOnesLater() throws IOException {
        checkpoint(8);
        checkpoint(10);
        Path restored = checkpoints.resolve("job/chk-10");
        assertThat(Checkpoints.dropOlderIfGoneOn(restored)).isFalse();
        // Begun, and not complete.
        Files.createDirectories(checkpoints.resolve("job/chk-11"));
        assertThat(Checkpoints.dropOlderIfGoneOn(restored)).isFalse();
        assertThat(checkpoints.resolve("job/chk-8")).exists();
        checkpoint(11);
        assertThat(Checkpoints.dropOlderIfGoneOn(restored)).isTrue();
        assertThat(checkpoints.resolve("job/chk-8")).doesNotExist();
        assertThat(restored).exists();
    }

    private Checkpoints.Snapshot newest() {
        return Checkpoints.latest(
                        checkpoints.toUri().toString(), savepoints.toUri().toString())
                .orElseThrow();
    }

    private static String snapshot(Path folder, long number, boolean savepoint) {
        return new Checkpoints.Snapshot(folder, number, savepoint).toString();
    }

    private void checkpoint(long number) throws IOException {
        metadata(checkpoints.resolve("job/chk-" + number), number);
    }

    private void savepoint(String name, long number) throws IOException {
        metadata(savepoints.resolve(name), number);
    }

    /** The first bytes that Flink 1.20 writes: what it is, the format's version, the checkpoint's number. */
    private static void metadata(Path folder, long number) throws IOException {
        Files.createDirectories(folder);
        try (DataOutputStream out = new DataOutputStream(Files.newOutputStream(folder.resolve("_metadata")))) {
            out.writeInt(0x4960672d);
            out.writeInt(4);
            out.writeLong(number);
        }
    }
}
