package dev.millrace.deploy.local.supervisor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.deploy.RawRequest;
import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.deploy.local.StackState;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SupervisorHttpTest {
    private final SupervisorHttp http = new SupervisorHttp(
            0,
            () -> StackState.of(Map.of("state", "running", "broker-options.password", "secret")),
            StackPage.find(new RunDirectory(java.nio.file.Path.of("nowhere/river")))
                    .orElseThrow());

    @AfterEach
    void closes() {
        http.close();
    }

    @Test
    void metricsStateAndThePageAreServedSideBySide() throws IOException {
        assertThat(RawRequest.get(http.port(), "/metrics"))
                .startsWith("HTTP/1.1 200")
                .contains("jvm_memory_used_bytes");
        assertThat(RawRequest.get(http.port(), "/state"))
                .contains("\"state\":\"running\"")
                .doesNotContain("secret");
        assertThat(RawRequest.get(http.port(), "/")).contains("<title>Millrace</title>", "audit --broker river");
        assertThat(RawRequest.get(http.port(), "/nowhere")).startsWith("HTTP/1.1 404");
    }

    @Test
    void noneOfThemAnswersAnotherNameOrAnOrder() throws IOException {
        for (String path : List.of("/metrics", "/state", "/", "/look.json")) {
            assertThat(RawRequest.send(http.port(), "GET", path, "Host: example.org:" + http.port()))
                    .startsWith("HTTP/1.1 403");
            assertThat(RawRequest.send(http.port(), "POST", path, "Host: localhost", "Content-Length: 0"))
                    .startsWith("HTTP/1.1 405");
        }
    }
}
