package dev.millrace.perf.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.connectors.testkit.page.Chromium;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** The page in a real browser: what only shows there. */
@Tag("server")
class ReportInBrowserTest {
    private static final String[] CHARTS = {
        "ratios-0", "accepted", "processed", "lag", "latency", "cpu", "memory", "clocks"
    };
    /** The first subject's colour on white. */
    private static final int BLUE = 0x0072b2;

    private static final int WHITE = 0xffffff;
    private static final int NEARLY_BLACK = 0x14171b;

    @TempDir(cleanup = CleanupMode.ALWAYS)
    Path folder;

    private Chromium chromium;
    private Path page;
    private Path probed;

    @BeforeEach
    void writesThePage() throws IOException {
        chromium = Chromium.in(folder, "the report");
        page = Reports.write(MadeUp.result(), folder.resolve("report"));
        String whole = Files.readString(page);
        // The chart library has such a tag in a text of its own.
        int end = whole.lastIndexOf("</body>");
        probed = Files.writeString(
                folder.resolve("probed.html"),
                whole.substring(0, end) + Chromium.probe(Duration.ZERO) + whole.substring(end));
    }

    private JsonNode seen(Path document, String... options) throws IOException, InterruptedException {
        return chromium.seen(document.toUri(), options);
    }

    private JsonNode seenAt(int width) throws IOException, InterruptedException {
        Path frame = Files.writeString(folder.resolve("frame.html"), Chromium.frame("probed.html", width));
        JsonNode seen = seen(frame, Chromium.LIGHT, "--window-size=1600,3000");
        assertThat(seen.path("width").asInt()).isEqualTo(width);
        return seen;
    }

    private static void assertWhole(JsonNode seen) {
        assertThat(seen.get("broken")).isNotNull().isEmpty();
        assertThat(seen.path("charts").findValuesAsText("id")).containsExactly(CHARTS);
        for (JsonNode chart : seen.path("charts")) {
            assertThat(chart.path("paths").asInt()).as(chart.toString()).isGreaterThan(5);
            assertThat(chart.path("cut")).as(chart.toString()).isEmpty();
        }
        assertThat(seen.path("scrollWidth").asInt())
                .isLessThanOrEqualTo(seen.path("width").asInt());
        assertThat(seen.path("texts").asInt()).isGreaterThan(300);
        assertThat(seen.get("faint")).isNotNull().isEmpty();
        assertThat(seen.get("faintWhenClicked")).isNotNull().isEmpty();
    }

    @Test
    void everyChartIsDrawnAndEveryTextIsReadableInLightColours() throws IOException, InterruptedException {
        JsonNode seen = seen(probed, Chromium.LIGHT, "--window-size=1280,4000");
        assertWhole(seen);
        assertThat(seen.path("page").toString()).isEqualTo("[255,255,255]");
        assertThat(seen.path("clicked").toString()).isEqualTo("[20,23,27]");
        assertThat(seen.path("button").asText()).isEqualTo("Dark");
    }

    @Test
    void aReaderWhoWantsDarkColoursGetsThem() throws IOException, InterruptedException {
        JsonNode seen = seen(probed, Chromium.DARK, "--window-size=1280,4000");
        assertWhole(seen);
        assertThat(seen.path("page").toString()).isEqualTo("[20,23,27]");
        assertThat(seen.path("clicked").toString()).isEqualTo("[255,255,255]");
        assertThat(seen.path("button").asText()).isEqualTo("Light");
    }

    @Test
    void thePageFitsPhonesAndWideScreens() throws IOException, InterruptedException {
        assertWhole(seenAt(400));
        assertWhole(seenAt(1400));
    }

    @Test
    void whatIsOnTheScreenHasTheColoursOfItsSubjects() throws IOException, InterruptedException {
        Set<Integer> light = colours(Chromium.LIGHT);
        assertThat(light).contains(WHITE, BLUE);
        Set<Integer> dark = colours(Chromium.DARK);
        assertThat(dark).contains(NEARLY_BLACK).doesNotContain(BLUE);
    }

    private Set<Integer> colours(String theme) throws IOException, InterruptedException {
        Path file = folder.resolve("screen.png");
        chromium.look(page.toUri(), theme, "--screenshot=" + file, "--window-size=1280,4000");
        BufferedImage image = ImageIO.read(file.toFile());
        assertThat(image.getWidth()).isEqualTo(1280);
        Set<Integer> colours = new TreeSet<>();
        for (int x = 0; x < image.getWidth(); x++) {
            for (int y = 0; y < image.getHeight(); y++) {
                colours.add(image.getRGB(x, y) & WHITE);
            }
        }
        return colours;
    }

    @Test
    void paperIsWhiteWhateverTheScreenIs() throws IOException, InterruptedException {
        Path file = folder.resolve("report.pdf");
        chromium.look(page.toUri(), Chromium.DARK, "--print-to-pdf=" + file);
        assertThat(file).isNotEmptyFile();
        assertThat(Files.readAllBytes(file)).startsWith('%', 'P', 'D', 'F');
    }
}
