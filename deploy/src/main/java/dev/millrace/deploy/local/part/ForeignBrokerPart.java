package dev.millrace.deploy.local.part;

import dev.millrace.connectors.api.broker.Broker;
import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.core.settings.Options;
import dev.millrace.deploy.local.StackSettings;
import dev.millrace.deploy.local.StackState;
import dev.millrace.deploy.local.StackTopics;

/**
 * A broker that a person runs: it is looked at once, at the start, and then only used. It is never stopped, killed or started
 * again, and how it is, is seen by what job and generator do.
 */
final class ForeignBrokerPart extends ForeignPart implements BrokerPart {
    private final Broker broker;
    private final StackSettings settings;
    private final ForeignTopics topics;

    ForeignBrokerPart(Broker broker, StackSettings settings, ForeignTopics topics) {
        this.broker = broker;
        this.settings = settings;
        this.topics = topics;
    }

    @Override
    public String name() {
        return StackState.BROKER;
    }

    @Override
    public void start() {
        try (BrokerClient client = broker.connect(options())) {
            if (topics.names().isEmpty()) {
                new ForeignBrokerCheck(client, settings, topics).run();
            }
            StackTopics.of(settings).forEach(spec -> topics.make(client, spec));
        }
    }

    @Override
    public void renewResults() {
        try (BrokerClient client = broker.connect(options())) {
            topics.remove(client, settings.resultsTopic());
            StackTopics.of(settings).forEach(spec -> topics.make(client, spec));
        }
    }

    @Override
    public Options options() {
        return settings.foreignBrokerOptions();
    }

    @Override
    public String address() {
        return settings.text("address");
    }

    @Override
    public String url() {
        return address();
    }
}
