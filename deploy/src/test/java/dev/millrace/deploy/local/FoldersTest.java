package dev.millrace.deploy.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Folders in which others work")
class FoldersTest {
    private static final int LOOKS = 2_000;

    @TempDir
    private Path folder;

    @Test
    @DisplayName("files that come and go do not disturb who looks for others")
    void comeAndGo() throws Exception {
        Path wanted =
                Files.writeString(Files.createDirectories(folder.resolve("a/b")).resolve("server.pid"), "1");
        AtomicBoolean over = new AtomicBoolean();
        CompletableFuture<Void> others = CompletableFuture.runAsync(() -> {
            while (!over.get()) {
                comeAndGoOnce();
            }
        });
        try {
            for (int look = 0; look < LOOKS; look++) {
                assertThat(Folders.files(folder, 4, file -> file.toString().endsWith(".pid")))
                        .containsExactly(wanted);
            }
        } finally {
            over.set(true);
            others.get(30, TimeUnit.SECONDS);
        }
        assertThat(Folders.files(folder.resolve("missing"), 4, file -> true)).isEmpty();
        assertThat(Folders.files(folder, 2, file -> true)).as("not so deep").isEmpty();
    }

    @Test
    @DisplayName("what is found behind a link is below the path that was asked for")
    void behindALink() throws Exception {
        Path real = Files.createDirectories(folder.resolve("disk/stack"));
        Files.writeString(real.resolve("server.pid"), "1");
        Path link = Files.createSymbolicLink(folder.resolve("link"), real);
        assertThat(Folders.files(link, 4, file -> true)).containsExactly(link.resolve("server.pid"));
    }

    private void comeAndGoOnce() {
        try {
            Path below = Files.createDirectories(folder.resolve("a/c"));
            for (int i = 0; i < 20; i++) {
                Files.writeString(below.resolve("checkpoint.tmp" + i), "x");
            }
            Folders.delete(below);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
