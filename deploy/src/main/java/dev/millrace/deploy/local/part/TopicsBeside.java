package dev.millrace.deploy.local.part;

import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.deploy.local.StackSettings;
import dev.millrace.deploy.local.StackTopics;

/**
 * Topics like a stack's own that a measurement makes beside them for a while. On a broker that is a person's own they are remembered with
 * the stack's, so that they go with these also where the process that made them is killed. Used by one thread.
 */
public final class TopicsBeside {
    private final StackSettings settings;
    private final ForeignTopics foreign;

    /** @param settings with which the stack in that directory was started */
    public TopicsBeside(RunDirectory directory, StackSettings settings) {
        this.settings = settings;
        this.foreign = new ForeignTopics(directory, settings);
    }

    /** Makes a topic; one that is there on a person's own broker already is a UserException. */
    public void make(BrokerClient client, String name) {
        if (settings.isForeignBroker()) {
            foreign.make(client, StackTopics.spec(settings, name));
        } else {
            client.createTopic(StackTopics.spec(settings, name));
        }
    }

    /** Removes it; one that was not made here, since somebody else's was there, stays. */
    public void remove(BrokerClient client, String name) {
        if (settings.isForeignBroker()) {
            foreign.remove(client, name);
        } else {
            client.deleteTopic(name);
        }
    }
}
