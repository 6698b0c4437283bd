package dev.millrace.deploy.local.part;

import dev.millrace.connectors.api.broker.Broker;
import dev.millrace.core.settings.Options;
import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.deploy.local.StackSettings;

/** The broker with the stack's topics: a server of the stack's own, or one that a person runs. */
public interface BrokerPart extends Part {

    static BrokerPart of(Broker broker, StackSettings settings, RunDirectory directory) {
        return settings.isForeignBroker()
                ? new ForeignBrokerPart(broker, settings, new ForeignTopics(directory, settings))
                : new LocalBrokerPart(broker, settings, directory);
    }

    /** Makes the topic of results anew, where the stack has one. */
    void renewResults();

    /** How clients reach it, the job and the generator among them; empty until it was started. */
    Options options();

    /** {@code HOST:PORT}; empty until it was started. */
    String address();
}
