package dev.millrace.deploy.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.deploy.RawRequest;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PageHandlerTest {
    /** So long that a test sees one look, however slow its machine is. */
    private static final Looks.Pace ONE = new Looks.Pace(Duration.ofMinutes(2), Duration.ofMinutes(2));

    private final MadeUpLooks looks = new MadeUpLooks();
    private PageServer server;

    @BeforeEach
    void starts() throws IOException {
        server = new PageServer(new Looks(looks, ONE, looks));
    }

    @AfterEach
    void stops() {
        server.close();
    }

    private String get(String path) throws IOException {
        return RawRequest.get(server.port(), path);
    }

    private JsonNode look() throws IOException {
        return new ObjectMapper().readTree(RawRequest.body(get("/look.json")));
    }

    @Test
    void thePageLoadsNothingAndNobodyKeepsIt() throws IOException {
        String answer = get("/");
        assertThat(answer)
                .startsWith("HTTP/1.1 200")
                .containsIgnoringCase("Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline';"
                        + " script-src 'unsafe-inline'; connect-src 'self'; img-src data:\r\n")
                .containsIgnoringCase("X-Content-Type-Options: nosniff\r\n")
                .containsIgnoringCase("Cache-Control: no-store\r\n")
                .containsIgnoringCase("Content-Type: text/html; charset=utf-8\r\n");
        assertThat(answer.replaceAll("(?s)<script>.*?</script>", ""))
                .contains("</main>")
                .doesNotContain(" src=", "@import", "url(", "{{")
                .doesNotContainPattern("<link[^>]* href=\"(?!data:)");
    }

    @Test
    void whatACommandNeedsIsTextOnThePageAndNoMarkup() throws IOException {
        assertThat(get("/"))
                .contains("audit --broker river --run-dir /a&lt;b&gt;</code>")
                .doesNotContain("/a<b>");
    }

    @Test
    void onlyThisMachineIsAnswered() throws IOException {
        for (String host : List.of("127.0.0.1:1", "localhost:80", "[::1]", "localhost")) {
            assertThat(RawRequest.send(server.port(), "GET", "/nowhere", "Host: " + host))
                    .startsWith("HTTP/1.1 404");
        }
        for (String host : List.of("example.org", "127.0.0.1.example.org", "localhost.example.org:80", "")) {
            for (String path : List.of("/", "/look.json", "/nowhere")) {
                assertThat(RawRequest.send(server.port(), "GET", path, "Host: " + host))
                        .startsWith("HTTP/1.1 403")
                        .contains("127.0.0.1 and localhost only");
            }
        }
        assertThat(looks.made).hasValue(0);
    }

    @Test
    void onlyGetIsTaken() throws IOException {
        for (String method : List.of("POST", "PUT", "DELETE", "OPTIONS", "HEAD")) {
            assertThat(RawRequest.send(server.port(), method, "/look.json", "Host: localhost", "Content-Length: 0"))
                    .startsWith("HTTP/1.1 405")
                    .containsIgnoringCase("Allow: GET\r\n");
        }
        assertThat(looks.made).hasValue(0);
    }

    @Test
    void anUnknownPathIsAnsweredWithTheKnownOnes() throws IOException {
        assertThat(get("/look.json/more")).startsWith("HTTP/1.1 404").contains("there are /, /look.json");
    }

    @Test
    void thePageAloneCostsNoLook() throws IOException {
        get("/");
        assertThat(looks.made).hasValue(0);
    }

    @Test
    void theFirstQuestionWaitsForItsLook() throws IOException {
        looks.message = "the job is <restarting> \"now\"";
        JsonNode look = look();
        assertThat(look.path("broker").asText()).isEqualTo("river");
        assertThat(look.path("readingsSent").asLong()).isPositive();
        assertThat(look.path("message").asText()).isEqualTo(looks.message);
        assertThat(Instant.parse(look.path("lookedAt").asText())).isBefore(looks.instant());
        assertThat(get("/look.json")).containsIgnoringCase("Content-Type: application/json\r\n");
    }

    @Test
    void twentyWhoAskAtTheSameTimeShareOneLook() throws Exception {
        ExecutorService twenty = Executors.newFixedThreadPool(20);
        try {
            List<Future<String>> answers = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                answers.add(twenty.submit(() -> get("/look.json")));
            }
            for (Future<String> answer : answers) {
                assertThat(answer.get(20, TimeUnit.SECONDS))
                        .startsWith("HTTP/1.1 200")
                        .contains("\"lag\":");
            }
        } finally {
            twenty.shutdownNow();
        }
        assertThat(looks.made).hasValue(1);
    }

    @Test
    void aLookThatFailsIsASentenceWithStatus503() throws IOException {
        looks.failures.set(1);
        String answer = get("/look.json");
        assertThat(answer).startsWith("HTTP/1.1 503").containsIgnoringCase("Content-Type: application/json\r\n");
        assertThat(new ObjectMapper()
                        .readTree(RawRequest.body(answer))
                        .path("message")
                        .asText())
                .isEqualTo("the stack could not be looked at: the disk is full");
    }
}
