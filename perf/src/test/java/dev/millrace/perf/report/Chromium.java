package dev.millrace.perf.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The browser of this machine, without a window: one process for one look, ended whatever happens. */
final class Chromium {
    private static final List<String> NAMES = List.of("chromium", "chromium-browser", "google-chrome");
    /** Its first start on a busy machine of two cores is slow. */
    private static final Duration BOUND = Duration.ofSeconds(120);

    private final Path program;
    private final Path folder;
    private int looks;

    /** Keeps its profile and what it said in {@code folder}. */
    Chromium(Path program, Path folder) {
        this.program = program;
        this.folder = folder;
    }

    static Optional<Path> onThePath() {
        String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
        return NAMES.stream()
                .flatMap(name -> Stream.of(path.split(File.pathSeparator)).map(one -> Path.of(one, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** What it wrote to standard output; fails if the page had anything to say on the console. */
    String look(Path page, String... options) throws IOException, InterruptedException {
        looks++;
        Path out = folder.resolve("out-" + looks);
        Path log = folder.resolve("log-" + looks);
        List<String> command = new ArrayList<>(List.of(
                program.toString(),
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                // Containers have a small one.
                "--disable-dev-shm-usage",
                "--disable-background-networking",
                "--no-first-run",
                "--hide-scrollbars",
                "--enable-logging=stderr",
                "--virtual-time-budget=3000",
                "--user-data-dir=" + folder.resolve("profile")));
        command.addAll(List.of(options));
        command.add(page.toUri().toString());
        Process browser = new ProcessBuilder(command)
                .redirectOutput(out.toFile())
                .redirectError(log.toFile())
                .start();
        try {
            browser.getOutputStream().close();
            assertThat(browser.waitFor(BOUND.toMillis(), TimeUnit.MILLISECONDS))
                    .as("chromium ended within %s; what it said:%n%s", BOUND, text(log))
                    .isTrue();
            assertThat(browser.exitValue()).as(text(log)).isZero();
        } finally {
            List<ProcessHandle> all = new ArrayList<>(browser.descendants().toList());
            all.add(browser.toHandle());
            all.forEach(ProcessHandle::destroyForcibly);
            browser.waitFor(BOUND.toMillis(), TimeUnit.MILLISECONDS);
        }
        assertThat(text(log).lines().filter(line -> line.contains("CONSOLE")))
                .as("what the page said on the console")
                .isEmpty();
        return text(out);
    }

    private static String text(Path file) throws IOException {
        return Files.exists(file) ? Files.readString(file) : "";
    }
}
