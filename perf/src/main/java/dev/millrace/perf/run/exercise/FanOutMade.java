package dev.millrace.perf.run.exercise;

import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.deploy.local.StackSettings;
import dev.millrace.deploy.local.part.TopicsBeside;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The reader groups and copies of the topic that a fan-out has made and not removed yet. Used by one thread. */
final class FanOutMade {
    private final StackSettings settings;
    private final TopicsBeside topics;
    private final Set<Group> groups = new LinkedHashSet<>();
    private final Set<String> copies = new LinkedHashSet<>();

    private record Group(String topic, String name) {}

    /** @param settings with which the stack in that directory was started */
    FanOutMade(RunDirectory directory, StackSettings settings) {
        this.settings = settings;
        this.topics = new TopicsBeside(directory, settings);
    }

    /** The name of a copy of the stack's topic. */
    String copy(int number) {
        return settings.topic() + "-copy-" + number;
    }

    /** Makes a topic; one that is there on a person's own broker already is a UserException. */
    void make(BrokerClient client, String copy) {
        copies.add(copy);
        topics.make(client, copy);
    }

    /** The full name of a group that will read the topic. */
    String group(String topic, String name) {
        Group group = new Group(topic, settings.readerGroup() + "-fan-out-" + name);
        groups.add(group);
        return group.name();
    }

    boolean isEmpty() {
        return groups.isEmpty() && copies.isEmpty();
    }

    /** Removes all of it; nobody reads or writes there any more. */
    void remove(BrokerClient client) {
        for (Group group : List.copyOf(groups)) {
            client.deleteReaderGroup(group.topic(), group.name());
            groups.remove(group);
        }
        for (String copy : List.copyOf(copies)) {
            topics.remove(client, copy);
            copies.remove(copy);
        }
    }
}
