package dev.millrace.deploy.pod;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ArgumentFileTest {
    @TempDir
    Path directory;

    @Test
    @DisplayName("Java reads from it just what was written: spaces, quotes, backslashes, wildcards and emptiness")
    void readByJava() throws Exception {
        List<String> hard =
                List.of("a b", "\"quoted\"", "c:\\dir\\*", "/lib/*", "", "#no comment", "@no/file", "tab\there");
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        Path file = directory.resolve("run/java.args");
        List<String> command = new java.util.ArrayList<>(
                List.of(java.toString(), "-cp", System.getProperty("java.class.path"), Echo.class.getName()));
        command.addAll(hard);
        ArgumentFile.write(file, command);
        Process process = new ProcessBuilder(java.toString(), "@" + file)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("said.txt").toFile())
                .start();
        try {
            assertThat(process.waitFor(20, TimeUnit.SECONDS)).as("it ends").isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(Files.readString(directory.resolve("said.txt")).lines())
                .containsExactlyElementsOf(
                        hard.stream().map(one -> "<" + one + ">").toList());
    }

    /** Says its arguments. */
    static final class Echo {
        private Echo() {}

        public static void main(String[] arguments) {
            for (String argument : arguments) {
                System.out.println("<" + argument + ">");
            }
        }
    }
}
