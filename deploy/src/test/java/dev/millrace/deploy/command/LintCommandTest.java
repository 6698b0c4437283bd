package dev.millrace.deploy.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.deploy.local.Installation;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Needs what a build leaves: the plugins, their servers, the list of Flink's jars. */
@Tag("server")
class LintCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    Path folder;

    @BeforeEach
    void noOutput() {
        out.getBuffer().setLength(0);
    }

    private int run(String... arguments) {
        return Millrace.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
    }

    private String file(String name, String text) throws Exception {
        return Files.writeString(folder.resolve(name), text).toString();
    }

    @Test
    @DisplayName("a line for each finding, a line for all, and exit code 1")
    void findings() throws Exception {
        String file = file("config.yaml", "parallelism.default: 2\ntaskmanager:\n  numberOfTaskSlot: 4\n");
        assertThat(run("lint", file)).isEqualTo(1);
        assertThat(out.toString().lines().toList())
                .hasSize(2)
                .element(0)
                .asString()
                .startsWith(file + ":3 taskmanager.numberOfTaskSlot: unknown: there is no such setting in Flink ")
                .endsWith("; did you mean 'taskmanager.numberOfTaskSlots'?");
        assertThat(out.toString()).contains(": 2 settings, 1 to mend");
    }

    @Test
    @DisplayName("advice alone is no failure, and what is right is told with --notes only")
    void advice() throws Exception {
        String file = file("config.yaml", "state.backend: rocksdb\nstate.backend.rocksdb.localdir: disk\n");
        assertThat(run("lint", file)).isZero();
        assertThat(out.toString())
                .contains(":1 state.backend: advice: ", "right is state.backend.type", "nothing to mend, 1 to know")
                .doesNotContain(": note: ");
        assertThat(run("lint", "--notes", file)).isZero();
        assertThat(out.toString()).contains(":2 state.backend.rocksdb.localdir: note: best on a fast local disk");
    }

    @Test
    @DisplayName("--json is one line with every finding")
    void json() throws Exception {
        String file = file("own.yaml", "rest.port: 8081\nrest.prot: 8081\nrest.address: x\n");
        assertThat(run("lint", "--json", file)).isEqualTo(1);
        assertThat(out.toString().lines()).hasSize(1);
        JsonNode root = new ObjectMapper().readTree(out.toString());
        assertThat(root.get("ok").asBoolean()).isFalse();
        JsonNode one = root.get("files").get(0);
        assertThat(one.get("kind").asText()).isEqualTo("flink");
        assertThat(one.get("findings")).hasSize(1);
        JsonNode finding = one.get("findings").get(0);
        assertThat(finding.get("line").asInt()).isEqualTo(2);
        assertThat(finding.get("key").asText()).isEqualTo("rest.prot");
        assertThat(finding.get("verdict").asText()).isEqualTo("unknown");
        assertThat(finding.get("fails").asBoolean()).isTrue();
        assertThat(finding.get("right").asText()).isEqualTo("rest.port");
    }

    private static boolean hasSettings(Path file) {
        try {
            return file.toString().endsWith(".yaml")
                    && Files.readString(file).matches("(?s).*\\n +config(Data)?:\\n.*");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    @DisplayName(
            "what servers get of a broker's production shape has nothing to mend, and a letter less is found in its line")
    void production() throws Exception {
        Installation installation = Installation.here();
        for (String broker : installation.builtBrokers()) {
            Path shape = installation.root().resolve("brokers/" + broker + "/deploy/kubernetes/c5-i7i");
            if (!Files.isDirectory(shape)) {
                continue;
            }
            int known = 0;
            try (Stream<Path> files = Files.list(shape)) {
                for (Path yaml : files.filter(LintCommandTest::hasSettings).toList()) {
                    noOutput();
                    int code = run("lint", "--json", yaml.toString());
                    assertThat(code).as(out.toString()).isZero();
                    JsonNode parts = new ObjectMapper().readTree(out.toString()).get("files");
                    known += parts.size();
                }
            }
            assertThat(known).as(broker).isPositive();
        }
        String job = file(
                "job.yaml",
                "apiVersion: flink.apache.org/v1beta1\nkind: FlinkDeployment\nspec:\n  flinkConfiguration:\n    rest.prot: 1\n");
        noOutput();
        assertThat(run("lint", job)).isEqualTo(1);
        assertThat(out.toString()).contains(job + ":5 rest.prot: unknown", "did you mean 'rest.port'?");
    }

    @Test
    @DisplayName(
            "a settings file that a broker's distribution ships has nothing to mend, or is one that is not checked")
    void shipped() throws Exception {
        Installation installation = Installation.here();
        int checked = 0;
        for (String broker : installation.builtBrokers()) {
            Path servers = installation.root().resolve("brokers/" + broker + "/target/server");
            if (!Files.isDirectory(servers)) {
                continue;
            }
            try (Stream<Path> files = Files.find(servers, 3, (file, any) -> isShippedSettings(file))) {
                for (Path file : files.toList()) {
                    noOutput();
                    int code = run("lint", file.toString());
                    assertThat(code).as(file + ": " + out + err).isIn(0, 2);
                    checked++;
                }
            }
        }
        assertThat(checked).isPositive();
    }

    private static boolean isShippedSettings(Path file) {
        return file.toString().endsWith(".conf") && file.getParent().endsWith("conf");
    }

    @Test
    @DisplayName("every kind of every plugin that is built finds a setting that nobody has")
    void everyKind() throws Exception {
        String file = file("own.conf", "a setting = of nobody\n");
        assertThat(run("lint", "--kind", "no kind", file)).isEqualTo(2);
        String[] kinds = err.toString()
                .replaceFirst("(?s).*; there are: ", "")
                .replaceFirst("(?s) \\(.*", "")
                .strip()
                .split(", ");
        assertThat(kinds).contains("flink");
        for (String kind : kinds) {
            if (!kind.equals("flink")) {
                noOutput();
                assertThat(run("lint", "--kind", kind, file)).as(kind).isEqualTo(1);
                assertThat(out.toString()).contains(":1 a: unknown: there is no such setting in ", "(" + kind + ", ");
            }
        }
    }
}
