package dev.millrace.brokers.memory;

import dev.millrace.connectors.api.broker.Broker;
import dev.millrace.connectors.testkit.broker.Subject;
import dev.millrace.core.settings.Options;
import java.time.Duration;
import java.util.Map;

/** The server inside the test's process: the whole contract without a child process. */
interface MemorySubject extends Subject {
    @Override
    default Broker broker() {
        return new MemoryBroker();
    }

    /** Its clients have no time-out that is longer. */
    @Override
    default Duration silence() {
        return Duration.ofSeconds(2);
    }

    /** Those of all sentences together do not fit; what they write does. */
    @Override
    default long topicBytes() {
        return -1;
    }

    @Override
    default Options localOptions() {
        return Options.of(Map.of("in-process", "true", "memory", "512MiB"));
    }
}
