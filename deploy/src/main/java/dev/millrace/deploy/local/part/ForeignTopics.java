package dev.millrace.deploy.local.part;

import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.connectors.api.broker.TopicSpec;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.local.PropertiesFile;
import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.deploy.local.StackSettings;
import dev.millrace.deploy.local.StackTopics;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The topics that a stack has made on a broker that is a person's own. Their names are kept in the run directory, so that
 * exactly these, and with them the stack's reader group, are removed again.
 */
public final class ForeignTopics {
    private final RunDirectory directory;
    private final StackSettings settings;

    public ForeignTopics(RunDirectory directory, StackSettings settings) {
        this.directory = directory;
        this.settings = settings;
    }

    /** Those that are there, or may be; sorted. */
    public List<String> names() {
        return List.copyOf(kept().keySet());
    }

    private Map<String, String> kept() {
        return PropertiesFile.read(directory.topicsFile()).orElseGet(TreeMap::new);
    }

    /** Makes a topic; one that is there and that this stack did not make is a UserException. */
    public void make(BrokerClient client, TopicSpec spec) {
        String name = spec.name();
        Map<String, String> kept = kept();
        if (!kept.containsKey(name)) {
            if (client.partitions(name) > 0) {
                throw new UserException("topic '" + name + "' is on the broker at " + settings.text("address")
                        + " already, and this stack has not made it; choose another --topic-prefix");
            }
            // Before it is made: a topic that nobody remembers would stay for ever.
            kept.put(name, settings.text("address"));
            PropertiesFile.write(directory.topicsFile(), kept);
        }
        try {
            StackTopics.make(client, spec);
        } catch (UserException | EnvironmentException e) {
            if (isMissing(client, name)) {
                forget(name);
            }
            throw e;
        }
    }

    private static boolean isMissing(BrokerClient client, String name) {
        try {
            return client.partitions(name) == 0;
        } catch (UserException | EnvironmentException e) {
            return false;
        }
    }

    private void forget(String name) {
        Map<String, String> kept = kept();
        kept.remove(name);
        PropertiesFile.write(directory.topicsFile(), kept);
    }

    /** Removes a topic that this stack has made. */
    public void remove(BrokerClient client, String name) {
        if (kept().containsKey(name)) {
            if (name.equals(settings.topic())) {
                // Of a topic beside it the group reads nothing, and where it is one of the whole broker the job's own
                // would go.
                client.deleteReaderGroup(name, settings.readerGroup());
            }
            client.deleteTopic(name);
            forget(name);
        }
    }
}
