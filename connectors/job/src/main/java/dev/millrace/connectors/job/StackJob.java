package dev.millrace.connectors.job;

import dev.millrace.connectors.api.broker.SinkSpec;
import dev.millrace.connectors.api.broker.SourceSpec;
import dev.millrace.connectors.api.broker.StartFrom;
import dev.millrace.connectors.api.broker.StopAt;
import dev.millrace.core.settings.JobSettings;
import dev.millrace.core.settings.Options;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The settings file of a job: what it reads, where rows go, and how windows are made.
 *
 * @param brokerOptions the file's {@code broker.*}, passed to the plugin
 * @param storeOptions the file's {@code store.*}, passed to the store
 * @param resultsTopic where rows are written too, if anywhere
 * @param resultsSendLimit how long the broker may take to acknowledge a row there; zero: for ever
 */
public record StackJob(
        Kind kind,
        String broker,
        Options brokerOptions,
        String topic,
        String readerGroup,
        StopAt stopAt,
        String store,
        Options storeOptions,
        Optional<String> resultsTopic,
        Duration resultsSendLimit,
        JobSettings settings) {

    /** What is made of the readings. */
    public enum Kind {
        /** One row for each device and window. */
        WINDOWS,
        /** When each device last sent each event type. */
        LATEST_TIMES
    }

    private static final Duration PARTITION_DISCOVERY = Duration.ofSeconds(3);

    /** Reads {@code --settings FILE}; throws UserException on anything that does not belong in it. */
    public static StackJob read(Path file) {
        return of(Options.read(file), "settings file " + file);
    }

    /** The same from settings that are not in a file of their own; {@code what} names them in a sentence. */
    public static StackJob of(Options all, String what) {
        Map<String, String> own = new TreeMap<>(all.asMap());
        own.keySet().removeIf(key -> key.startsWith("broker.") || key.startsWith("store."));
        return Options.of(own).bind(what, binder -> {
            StackJob job = new StackJob(
                    binder.oneOf("job", Kind.WINDOWS, Kind.class),
                    binder.required("broker", "name the broker to read from"),
                    all.under("broker."),
                    binder.required("topic", "name the topic to read"),
                    binder.string("reader-group", "millrace"),
                    binder.oneOf("stop-at", StopAt.NEVER, StopAt.class),
                    binder.required("store", "name the store that rows go to"),
                    all.under("store."),
                    Optional.of(binder.string("results-topic", "")).filter(topic -> !topic.isEmpty()),
                    binder.duration("results-send-limit", Duration.ZERO),
                    JobSettings.bind(binder));
            if (!job.resultsSendLimit.isZero() && job.resultsSendLimit.compareTo(SinkSpec.LEAST_SEND_LIMIT) < 0) {
                binder.problem("'results-send-limit' is too short; at least 1s, or 0s for none");
            }
            if (job.kind == Kind.LATEST_TIMES && job.resultsTopic.isPresent()) {
                binder.problem("'results-topic' is for the job 'windows'");
            }
            return job;
        });
    }

    /** What the job reads: the topic from its oldest record. */
    public SourceSpec sourceSpec() {
        Duration discovery = stopAt == StopAt.END ? Duration.ZERO : PARTITION_DISCOVERY;
        return new SourceSpec(topic, readerGroup, new StartFrom.Earliest(), stopAt, discovery);
    }
}
