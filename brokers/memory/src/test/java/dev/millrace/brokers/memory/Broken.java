package dev.millrace.brokers.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import dev.millrace.connectors.testkit.broker.Subject;
import dev.millrace.core.settings.Options;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.platform.engine.discovery.MethodSelector;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;

/** A broker that fails some sentences: short of patience, for what is lost never comes. */
interface Broken extends Subject {
    /** Those of all sentences together do not fit; what they write does. */
    @Override
    default long topicBytes() {
        return -1;
    }

    @Override
    default Options localOptions() {
        return Options.of(Map.of("in-process", "true", "memory", "512MiB"));
    }

    @Override
    default Duration bound() {
        return Duration.ofSeconds(3);
    }

    @Override
    default Duration silence() {
        return Duration.ofSeconds(1);
    }

    /** Asks the contract for some of its methods; the names of the sentences that failed. */
    static List<String> failures(Class<? extends Subject> contract, List<String> methods) {
        EngineExecutionResults results = EngineTestKit.engine("junit-jupiter")
                .selectors(methods.stream()
                        .map(method -> selectMethod(contract.getName() + "#" + method))
                        .toArray(MethodSelector[]::new))
                .execute();
        assertThat(results.testEvents().started().count()).isEqualTo(methods.size());
        return results.testEvents().failed().stream()
                .map(Event::getTestDescriptor)
                .map(test -> test.getDisplayName())
                .toList();
    }
}
