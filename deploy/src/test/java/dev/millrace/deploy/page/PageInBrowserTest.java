package dev.millrace.deploy.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.connectors.testkit.page.Chromium;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** The page in a real browser, whose clock the browser itself moves on: a minute of looks takes no minute. */
@Tag("server")
class PageInBrowserTest {
    private static final Duration SHOWN = Duration.ofSeconds(60);
    private static final String BUDGET =
            "--virtual-time-budget=" + SHOWN.plusSeconds(5).toMillis();
    private static final Looks.Pace A_LOOK_FOR_EACH_QUESTION = new Looks.Pace(Duration.ZERO, Duration.ofNanos(1));
    private static final String WIDE = "--window-size=1400,2400";

    @TempDir(cleanup = CleanupMode.ALWAYS)
    Path folder;

    private final MadeUpLooks looks = new MadeUpLooks();
    private Chromium chromium;
    private PageServer server;

    @BeforeEach
    void serves() throws IOException {
        chromium = Chromium.in(folder, "the page of a running stack");
        server = new PageServer(new Looks(looks, A_LOOK_FOR_EACH_QUESTION, looks));
        server.serve("/probed", Chromium.probe(SHOWN));
        server.serveHtml("/narrow", Chromium.frame("probed", 400));
    }

    @AfterEach
    void stops() {
        if (server != null) {
            server.close();
        }
    }

    private static void assertWhole(JsonNode seen) {
        assertThat(seen.path("broken")).isEmpty();
        assertThat(seen.path("charts")).hasSize(3);
        for (JsonNode chart : seen.path("charts")) {
            assertThat(chart.path("paths").asInt()).as(chart.toString()).isGreaterThan(5);
            assertThat(chart.path("cut")).as(chart.toString()).isEmpty();
        }
        assertThat(seen.path("scrollWidth").asInt())
                .isLessThanOrEqualTo(seen.path("width").asInt());
        assertThat(seen.path("faint")).isEmpty();
        assertThat(seen.path("faintWhenClicked")).isEmpty();
        assertThat(seen.path("text").asText())
                .contains("river 4.2.0", "running", "readings sent", "Windows stored", "taskmanager", "Updated")
                .containsPattern("(19,[89]|20,[01])\\d\\d\\s*/s")
                .contains("audit --broker river --run-dir /a<b>");
    }

    @Test
    void figuresAndChartsAreThereInLightColours() throws IOException, InterruptedException {
        JsonNode seen = chromium.seen(server.at("/probed"), Chromium.LIGHT, BUDGET, WIDE);
        assertWhole(seen);
        assertThat(seen.path("page").toString()).isEqualTo("[255,255,255]");
        assertThat(seen.path("clicked").toString()).isEqualTo("[20,23,27]");
        assertThat(looks.made.get()).isGreaterThan(10);
    }

    @Test
    void aNarrowScreenInDarkColoursShowsAllWithoutSidewaysScrolling() throws IOException, InterruptedException {
        JsonNode seen = chromium.seen(server.at("/narrow"), Chromium.DARK, BUDGET, WIDE);
        assertThat(seen.path("width").asInt()).isEqualTo(400);
        assertWhole(seen);
        assertThat(seen.path("page").toString()).isEqualTo("[20,23,27]");
    }

    @Test
    void aMessageIsTextWhateverIsInIt() throws IOException, InterruptedException {
        looks.message = "<img src=x onerror=\"document.title='caught'\"><script>document.title='caught'</script>";
        JsonNode seen = chromium.seen(server.at("/probed"), Chromium.LIGHT, BUDGET, WIDE);
        assertThat(seen.path("broken")).isEmpty();
        assertThat(seen.path("text").asText()).contains("recovering").contains(looks.message);
    }

    @Test
    void aStackThatFallsSilentIsSaidToBeSoAndItsLastFiguresStay() throws IOException, InterruptedException {
        server.stopAfterLooks(8);
        Chromium.Look look = chromium.lookAnyway(server.at("/"), "--virtual-time-budget=30000", "--dump-dom");
        assertThat(look.console()).allMatch(line -> line.contains("Failed to load resource"));
        assertThat(look.out())
                .contains("no answer</span>")
                .containsPattern("since \\d\\d:\\d\\d:\\d\\d: the stack, or only its supervisor, is down")
                .containsPattern("id=\"lag\">[\\d,]+<")
                .contains("<svg");
        assertThat(looks.made.get()).isGreaterThan(1);
    }
}
