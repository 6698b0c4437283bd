package dev.millrace.brokers.pulsar.baseline.official;

import dev.millrace.connectors.api.broker.Broker;
import dev.millrace.connectors.testkit.baseline.OfficialSourceContract;
import dev.millrace.core.settings.Options;
import java.util.Map;
import org.junit.jupiter.api.Tag;

@Tag("server")
class OfficialPulsarSourceTest extends OfficialSourceContract {
    private final Broker plugin = PluginFolder.load();

    @Override
    protected Broker broker() {
        return plugin;
    }

    @Override
    protected Options localOptions() {
        return Options.of(Map.of("memory", "1GiB"));
    }

    @Override
    protected int starts() {
        return 3;
    }
}
