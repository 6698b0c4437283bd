package dev.millrace.brokers.kafka.baseline;

import dev.millrace.brokers.kafka.KafkaBroker;
import dev.millrace.connectors.api.broker.Broker;
import dev.millrace.connectors.testkit.baseline.LoadToolContract;
import dev.millrace.core.settings.Options;
import java.util.Map;
import org.junit.jupiter.api.Tag;

@Tag("server")
class KafkaLoadToolServerTest extends LoadToolContract {
    @Override
    protected Broker broker() {
        return new KafkaBroker();
    }

    @Override
    protected Options localOptions() {
        return Options.of(Map.of("memory", "512MiB"));
    }
}
