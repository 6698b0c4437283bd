package dev.millrace.deploy.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogsTest {
    @TempDir
    private Path folder;

    private Path log;

    @BeforeEach
    void log() throws IOException {
        log = Files.createFile(folder.resolve("a.log"));
    }

    private void add(byte[] bytes) throws IOException {
        Files.write(log, bytes, StandardOpenOption.APPEND);
    }

    @Test
    void aLineIsShownWhenItIsWhole() throws IOException {
        add("one\ntw".getBytes(StandardCharsets.UTF_8));
        Logs.Added first = Logs.added(log, 0);
        assertThat(first.lines()).containsExactly("one");
        add("o\n".getBytes(StandardCharsets.UTF_8));
        Logs.Added second = Logs.added(log, first.end());
        assertThat(second.lines()).containsExactly("two");
        assertThat(second.end()).isEqualTo(Logs.size(log));
        assertThat(Logs.added(log, second.end()).lines()).isEmpty();
    }

    @Test
    void bytesThatAreNoTextAreCountedOnce() throws IOException {
        add(new byte[] {(byte) 0xff, (byte) 0xfe, '\n'});
        Logs.Added added = Logs.added(log, 0);
        assertThat(added.lines()).hasSize(1);
        assertThat(added.end()).isEqualTo(3);
    }

    @Test
    void aLineWithoutEndDoesNotHoldUpWhatFollows() throws IOException {
        add("x".repeat(3 << 20).getBytes(StandardCharsets.UTF_8));
        add("\nlast\n".getBytes(StandardCharsets.UTF_8));
        long at = 0;
        String last = "";
        while (at < Logs.size(log)) {
            Logs.Added added = Logs.added(log, at);
            assertThat(added.end()).isGreaterThan(at);
            at = added.end();
            last = added.lines().get(added.lines().size() - 1);
        }
        assertThat(last).isEqualTo("last");
    }
}
