package dev.millrace.core.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessLockTest {
    private static final String REFUSAL = "another has it";

    @TempDir
    Path folder;

    @Test
    void oneHolderAtATime() {
        Path file = folder.resolve("new").resolve("lock");
        ProcessLock held = ProcessLock.take(file, REFUSAL);
        assertRefused(file);
        held.close();
        held.close();
        try (ProcessLock next = ProcessLock.take(file, REFUSAL)) {
            assertThat(next).isNotSameAs(held);
            assertRefused(file);
        }
        assertThat(file).isEmptyFile();
    }

    @Test
    void anotherProcessIsAHolderToo() throws IOException {
        Path file = folder.resolve("lock");
        try (Another another = new Another(file)) {
            assertThat(another.hasIt()).isTrue();
            assertRefused(file);
        }
        ProcessLock.take(file, REFUSAL).close();
    }

    @Test
    void aSecondTryOfThisProcessDoesNotGiveItAway() throws IOException {
        Path file = folder.resolve("lock");
        ProcessLock held = ProcessLock.take(file, REFUSAL);
        assertRefused(file);
        try (Another another = new Another(file)) {
            assertThat(another.hasIt()).isFalse();
        }
        held.close();
    }

    @Test
    void whoDeletesTheFileBeforeLettingGoLeavesOneHolder() throws Exception {
        Path file = folder.resolve("lock");
        try (Another another = new Another(file)) {
            assertThat(another.hasIt()).isTrue();
            // As down does.
            Files.delete(file);
            try (ProcessLock next = ProcessLock.take(file, REFUSAL)) {
                assertThat(next).isNotNull();
                assertRefused(file);
            }
        }
    }

    @Test
    void aFileThatCannotBeMadeIsTheMachines() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "").resolve("lock");
        assertThatThrownBy(() -> ProcessLock.take(file, REFUSAL))
                .isInstanceOf(EnvironmentException.class)
                .hasMessageStartingWith("cannot lock " + file);
    }

    private static void assertRefused(Path file) {
        assertThatThrownBy(() -> ProcessLock.take(file, REFUSAL))
                .isInstanceOf(UserException.class)
                .hasMessage(REFUSAL);
    }

    /** A process that takes the lock, if it can, and keeps it. */
    private final class Another implements AutoCloseable {
        private static final String PROGRAM =
                """
                import java.nio.channels.FileChannel;
                import java.nio.file.Path;
                import java.nio.file.StandardOpenOption;

                class Holder {
                    public static void main(String[] arguments) throws Exception {
                        Path file = Path.of(arguments[0]);
                        FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                        System.out.write(channel.tryLock() == null ? 'n' : 'y');
                        System.out.flush();
                        System.in.read();
                    }
                }
                """;

        private final Process process;

        private Another(Path file) throws IOException {
            Path program = Files.writeString(folder.resolve("Holder.java"), PROGRAM);
            process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-Xmx256m",
                            program.toString(),
                            file.toString())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
        }

        private boolean hasIt() throws IOException {
            int said = process.getInputStream().read();
            assertThat(said).isIn((int) 'y', (int) 'n');
            return said == 'y';
        }

        @Override
        public void close() {
            process.destroyForcibly().onExit().join();
        }
    }
}
