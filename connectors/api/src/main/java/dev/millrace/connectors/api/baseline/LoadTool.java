package dev.millrace.connectors.api.baseline;

import dev.millrace.core.settings.Options;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * The load generator that the broker's own project ships, which a process of its own runs and which ends by itself when all is
 * sent. Found by {@link java.util.ServiceLoader}. Stateless and thread-safe.
 *
 * @implSpec The tool's client is set as the plugin sets that of its publisher wherever both have the setting: what is compared is
 *     how the client is used. Keys and the choice of a partition stay the tool's own.
 */
public interface LoadTool {

    /** The broker's name, that of its plugin. */
    String name();

    /** What people call it. */
    String tool();

    /**
     * How it is started for one load; files that it needs are written into {@code folder}. A setting of {@code options} that the
     * plugin takes and the tool has no word for is a UserException.
     *
     * @param options those of {@link dev.millrace.connectors.api.broker.Broker#connect}
     * @param folder exists, and is this load's alone
     */
    Start start(Options options, Load load, Path folder);

    /** What it printed at its end; throws EnvironmentException when that is not there. */
    Summary summary(List<String> output);

    /** The smallest difference between two of its latencies. */
    Duration latencyStep();

    /** Of how many of its sends it takes one latency, when it sends {@code readings}; 1: of each. */
    long latencyEvery(long readings);

    /** How long after its first send it begins to count latencies. */
    Duration latencyWarmUp();

    /** In what it differs from a publisher of readings whatever it is told; sentences for people. */
    List<String> differences();

    /**
     * What is to be sent.
     *
     * @param topic is there, with its partitions
     * @param readings how many, 1 or more
     * @param readingBytes of each, 1 or more
     * @param keyBytes that a publisher of readings sends beside each; a tool that has no keys makes its payloads longer by them
     * @param readingsPerSecond 0: as fast as the broker takes them
     */
    record Load(String topic, long readings, int readingBytes, int keyBytes, long readingsPerSecond) {}

    /**
     * A process of Java.
     *
     * @param javaOptions without heap and collector, which the caller settles
     */
    record Start(String classPath, List<String> javaOptions, String mainClass, List<String> arguments) {
        public Start {
            javaOptions = List.copyOf(javaOptions);
            arguments = List.copyOf(arguments);
        }
    }

    /**
     * What it says of itself.
     *
     * @param sent how many the broker has answered: at least those it was told to send, some tools overshoot
     * @param readingsPerSecond over its whole run, by its own clock
     * @param p50Millis from the call that sends to the broker's answer
     */
    record Summary(long sent, double readingsPerSecond, double p50Millis, double p99Millis) {}
}
