package dev.millrace.core.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What a process does as it ends is seen in a process of its own. */
class StopHookTest {
    /** Ends with one hook closed and one open, which asks whether it can still be taken back. */
    static final class Ending {
        private static StopHook own;

        public static void main(String[] arguments) {
            StopHook open = new StopHook("open", () -> System.out.println("open: " + own.remove()));
            own = open;
            new StopHook("closed", () -> System.out.println("closed")).close();
            System.exit(7);
        }
    }

    @Test
    void isTakenBackOnce() {
        StopHook hook = new StopHook("once", () -> {});

        assertThat(hook.remove()).isTrue();
        assertThat(hook.remove()).isFalse();
        hook.close();
    }

    @Test
    void whatIsOpenRunsAndIsNotTakenBackAnyMore() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Ending.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isEqualTo(7);
            assertThat(new String(process.getInputStream().readAllBytes()).lines())
                    .containsExactly("open: false");
        } finally {
            process.destroyForcibly();
        }
    }
}
