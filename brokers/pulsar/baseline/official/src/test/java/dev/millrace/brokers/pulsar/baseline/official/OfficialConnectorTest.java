package dev.millrace.brokers.pulsar.baseline.official;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import dev.millrace.connectors.api.broker.Broker;
import dev.millrace.connectors.testkit.broker.FaultContract;
import dev.millrace.core.settings.Options;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;
import org.junit.platform.testkit.engine.Events;

@Tag("server")
@DisplayName("the contract finds that the official connector")
class OfficialConnectorTest {
    private static final int ATTEMPTS = 3;
    private static final String LOSS = "(?s)\\[[1-9]\\d* lost\\].*";

    @Test
    @DisplayName("loses the rest of a batch when it is restored in the middle of it (FLINK-36180)")
    void losesTheRestOfABatch() {
        String failure = "";
        // Its client may give a connection up before the check has seen anything; that is another failure than a loss.
        for (int attempt = 1; attempt <= ATTEMPTS && !failure.matches(LOSS); attempt++) {
            failure = killInMidBatch();
            System.out.println(failure.lines().findFirst().orElse(""));
        }
        assertThat(failure).matches(LOSS);
    }

    /** Runs the contract's own sentence; what its failure says. */
    private static String killInMidBatch() {
        Events tests = EngineTestKit.engine("junit-jupiter")
                .selectors(selectMethod(
                        Official.class.getName() + "#killedInMidBatch(" + TestReporter.class.getName() + ")"))
                .execute()
                .testEvents();
        tests.reportingEntryPublished().stream().forEach(System.out::println);
        assertThat(tests.started().count()).isEqualTo(1);
        return String.valueOf(tests.failed().stream()
                .map(OfficialConnectorTest::failure)
                .findFirst()
                .orElseThrow()
                .getMessage());
    }

    private static Throwable failure(Event event) {
        return event.getRequiredPayload(TestExecutionResult.class)
                .getThrowable()
                .orElseThrow();
    }

    /** Short of patience: what is lost never comes. */
    static class Official extends FaultContract {
        @Override
        public Broker broker() {
            return new OfficialPulsar();
        }

        @Override
        public Options localOptions() {
            return Options.of(Map.of("memory", "1GiB"));
        }

        /** Its clients take some seconds to close. */
        @Override
        public int kills() {
            return 3;
        }

        @Override
        public Duration bound() {
            return Duration.ofSeconds(9);
        }

        @Override
        public Options ofBatches(Options options) {
            return options.with("producer.batchingMaxMessages", "1000")
                    .with("producer.batchingMaxPublishDelayMicros", "300000");
        }
    }
}
