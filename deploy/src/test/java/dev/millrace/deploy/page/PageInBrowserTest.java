package dev.millrace.deploy.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.connectors.testkit.page.Chromium;
import dev.millrace.deploy.look.AuditNote;
import dev.millrace.deploy.look.BenchmarkNote;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
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
        assertThat(seen.get("broken")).isNotNull().isEmpty();
        assertThat(seen.path("charts")).hasSize(3);
        for (JsonNode chart : seen.path("charts")) {
            assertThat(chart.path("paths").asInt()).as(chart.toString()).isGreaterThan(5);
            assertThat(chart.path("cut")).as(chart.toString()).isEmpty();
        }
        assertThat(seen.path("scrollWidth").asInt())
                .isLessThanOrEqualTo(seen.path("width").asInt());
        assertThat(seen.get("faint")).isNotNull().isEmpty();
        assertThat(seen.get("faintWhenClicked")).isNotNull().isEmpty();
        assertThat(seen.path("text").asText())
                .contains(
                        "river 4.2.0", "running", "readings sent", "Windows stored", "taskmanager", "Updated", "Audit")
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
    void whatABenchmarkDoesHowLongSendsTakeAndWhatTheAuditSaidIsThere() throws IOException, InterruptedException {
        Instant now = looks.instant();
        looks.audit = new AuditNote(now, true, "The store holds exactly what the ledger says.", 4_321, 0, 0, 0);
        looks.benchmark = new BenchmarkNote(
                3, 11, "river", "measure", now, now.plus(Duration.ofHours(50)), now.plus(Duration.ofHours(90)));
        JsonNode seen = chromium.seen(server.at("/narrow"), Chromium.LIGHT, BUDGET, WIDE);
        assertWhole(seen);
        assertThat(seen.path("text").asText())
                .contains("benchmark: run 3 of 11, measure, 50 h left; all runs: 90 h left")
                .contains("since the last look; p50 1.25 ms")
                .containsPattern("Send latency, p99\\s+7\\.5\\s+ms")
                .containsPattern("Audit\\s+equal\\s+\\d\\d:\\d\\d:\\d\\d, 4,321 rows checked");
    }

    @Test
    void withoutPaceThereIsNoLatencyAndADifferenceIsSaid() throws IOException, InterruptedException {
        looks.paced = false;
        looks.audit = new AuditNote(looks.instant(), false, "The store <b>differs</b>.", 4_321, 2, 0, 0);
        JsonNode seen = chromium.seen(server.at("/probed"), Chromium.DARK, BUDGET, WIDE);
        assertWhole(seen);
        assertThat(seen.path("text").asText())
                .containsPattern("Send latency, p99\\s+-\\s+not paced")
                .containsPattern("Audit\\s+not equal\\s+\\d\\d:\\d\\d:\\d\\d: The store <b>differs</b>\\.")
                .doesNotContain("benchmark: ");
    }

    @Test
    void aMessageIsTextWhateverIsInIt() throws IOException, InterruptedException {
        looks.message = "<img src=x onerror=\"document.title='caught'\"><script>document.title='caught'</script>";
        JsonNode seen = chromium.seen(server.at("/probed"), Chromium.LIGHT, BUDGET, WIDE);
        assertThat(seen.get("broken")).isNotNull().isEmpty();
        assertThat(seen.path("text").asText()).contains("recovering").contains(looks.message);
    }

    @Test
    void aStackThatFallsSilentIsSaidToBeSoAndItsLastFiguresStay() throws IOException, InterruptedException {
        server.silentAfterLooks(8);
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
