package dev.millrace.deploy.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.command.Millrace;
import dev.millrace.deploy.kubernetes.stack.ClusterLauncher;
import dev.millrace.deploy.local.Installation;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What tells only a server that up starts on this machine. Needs no cluster: it is said before one is asked. */
class OptionsOfServerTest {
    static List<String> brokers() {
        return Installation.here().brokers().stream()
                .filter(broker -> ClusterLauncher.has(Installation.here(), broker))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("brokers")
    @ResourceLock(Resources.SYSTEM_ERR)
    @DisplayName("it is refused on a cluster, also by a dry run, in one sentence that says where that server is told")
    void refused(String broker) {
        requireBuilt(broker);
        for (String option : List.of("broker.tuning=durable", "broker.memory=1GiB")) {
            assertThat(dryRun(broker, option))
                    .isEqualTo("2 millrace: on a cluster these say nothing to the broker's server: "
                            + (option.contains("tuning") ? option : "broker.memory")
                            + "; leave them out (what it is told there stands in brokers/" + broker
                            + "/deploy/kubernetes/tiny)\n");
        }
        // A plugin that knows no such option refuses it as one that is unknown.
        assertThat(dryRun(broker, "broker.server.managedLedgerDefaultEnsembleSize=1"))
                .startsWith("2 millrace: ")
                .contains("server.managedLedgerDefaultEnsembleSize");
        // What clients are told goes on, to a cluster that is not there.
        assertThat(dryRun(broker, "broker.tuning=latency")).doesNotContain("say nothing");
    }

    private static String dryRun(String broker, String option) {
        PrintStream err = System.err;
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
        try {
            int code = Millrace.run(
                    "up",
                    "--target",
                    "kubernetes",
                    "--context",
                    "none-of-that-name",
                    "--broker",
                    broker,
                    "--dry-run",
                    "--" + option);
            return code + " " + said.toString(StandardCharsets.UTF_8);
        } finally {
            System.setErr(err);
        }
    }

    private static void requireBuilt(String broker) {
        try {
            Installation.here().builtPlugin(broker);
        } catch (UserException e) {
            assertThat(System.getenv("CI"))
                    .as("plugins must be built where the build runs unattended")
                    .isNull();
            abort(e.getMessage());
        }
    }
}
