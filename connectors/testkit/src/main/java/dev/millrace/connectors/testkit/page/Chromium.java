package dev.millrace.connectors.testkit.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The browser of this machine, without a window: one process for one look, ended whatever happens. */
public final class Chromium {
    /** Options of {@link #look}: what a reader prefers. */
    public static final String DARK = "--blink-settings=preferredColorScheme=0";

    public static final String LIGHT = "--blink-settings=preferredColorScheme=1";

    private static final List<String> NAMES = List.of("chromium", "chromium-browser", "google-chrome");
    /** Its first start on a busy machine of two cores is slow. */
    private static final Duration BOUND = Duration.ofSeconds(120);

    private final Path program;
    private final Path folder;
    private int looks;

    private Chromium(Path program, Path folder) {
        this.program = program;
        this.folder = folder;
    }

    /**
     * That of this machine. Where there is none the test is skipped, on a machine of continuous integration it fails.
     *
     * @param folder where it keeps its profile and what it said
     * @param unseen what nobody has seen in a browser then
     */
    public static Chromium in(Path folder, String unseen) {
        Optional<Path> program = onThePath();
        if (program.isEmpty()) {
            String sentence = "there is no chromium, chromium-browser or google-chrome on the PATH, so nobody has seen "
                    + unseen + " in a browser; install Debian's package chromium";
            if ("true".equals(System.getenv("CI"))) {
                fail(sentence);
            }
            assumeTrue(false, sentence);
        }
        return new Chromium(program.orElseThrow(), folder);
    }

    private static Optional<Path> onThePath() {
        String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
        return NAMES.stream()
                .flatMap(name -> Stream.of(path.split(File.pathSeparator)).map(one -> Path.of(one, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** What is to be put before the end of a page's body, so that {@link #seen} sees something. */
    public static String probe(Duration after) {
        try (InputStream in = Chromium.class.getResourceAsStream("probe.js")) {
            return "<script data-after='" + after.toMillis() + "'>"
                    + new String(in.readAllBytes(), StandardCharsets.UTF_8) + "</script>";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A page that shows another in a frame: a browser without a window refuses to be narrower than 500. */
    public static String frame(String page, int width) {
        return "<!DOCTYPE html><html><body><iframe src='" + page + "' style='border:0;height:3000px;width:" + width
                + "px'></iframe><script>addEventListener('message',"
                + " event => document.documentElement.dataset.seen = event.data)</script></body></html>";
    }

    /** What the probe in a page saw; fails if the page had anything to say on the console. */
    public JsonNode seen(URI page, String... options) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of(options));
        all.add("--dump-dom");
        String dom = look(page, all.toArray(String[]::new));
        Matcher seen = Pattern.compile("data-seen=\"([^\"]*)\"").matcher(dom);
        assertThat(seen.find()).as("the page was looked at: %s", dom).isTrue();
        return new ObjectMapper()
                .readTree(seen.group(1)
                        .replace("&quot;", "\"")
                        .replace("&lt;", "<")
                        .replace("&gt;", ">")
                        .replace("&amp;", "&"));
    }

    /** What it wrote to standard output; fails if the page had anything to say on the console. */
    public String look(URI page, String... options) throws IOException, InterruptedException {
        Look look = lookAnyway(page, options);
        assertThat(look.console()).as("what the page said on the console").isEmpty();
        return look.out();
    }

    /**
     * One look.
     *
     * @param out what the browser wrote to standard output
     * @param console lines that the page, or the browser about it, wrote to the console
     */
    public record Look(String out, List<String> console) {}

    /** As {@link #look}, whatever is on the console. */
    public Look lookAnyway(URI page, String... options) throws IOException, InterruptedException {
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
        command.add(page.toString());
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
        return new Look(
                text(out),
                text(log).lines().filter(line -> line.contains("CONSOLE")).toList());
    }

    private static String text(Path file) throws IOException {
        return Files.exists(file) ? Files.readString(file) : "";
    }
}
