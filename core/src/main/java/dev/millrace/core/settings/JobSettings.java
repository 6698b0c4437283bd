package dev.millrace.core.settings;

import java.io.Serializable;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the job itself needs to know, whatever broker it reads and whatever store it writes.
 *
 * @param maxAhead how far a reading's event time may be ahead of the broker's timestamp; zero: as far as it likes
 * @param idleAfter how long a partition whose end the broker has confirmed must stay silent to be idle
 * @param parallelism subtasks of every operator, at most {@link #MAX_PARALLELISM}
 * @param checkpointInterval time between the starts of two checkpoints
 * @param checkpointDirectory a URI that JobManager and TaskManagers can write
 * @param stateDirectory RocksDB's working directory on the TaskManager; null lets Flink choose
 * @param preAggregationBytes memory in which each source subtask may merge readings before they cross the network; 0 merges none
 * @param writerSchema Avro JSON of the schema that payloads were written with; null means the product's own
 */
public record JobSettings(
        WindowSettings window,
        Duration maxAhead,
        Duration idleAfter,
        int parallelism,
        Duration checkpointInterval,
        String checkpointDirectory,
        StateBackend stateBackend,
        @Nullable String stateDirectory,
        long preAggregationBytes,
        @Nullable String writerSchema)
        implements Serializable {

    /** Fixed for good: key groups, and so savepoints, depend on it. */
    public static final int MAX_PARALLELISM = 128;

    /** Where the windows that are still open live. */
    public enum StateBackend {
        /** Objects on the heap: the fastest, for state that fits memory. */
        HEAP,
        /** RocksDB on a local disk: for state that does not. */
        ROCKSDB
    }

    /** Reads {@code window}, {@code slide}, {@code out-of-orderness} and so on; see the README's table of settings. */
    public static JobSettings bind(Options.Binder binder) {
        Duration size = binder.duration("window", Duration.ofSeconds(60));
        Duration slide = binder.duration("slide", size);
        if (slide.isZero() || size.isZero() || slide.compareTo(size) > 0) {
            binder.problem("'slide' is '" + Values.text(slide) + "'; it must be positive and at most the window of "
                    + Values.text(size));
            slide = size = Duration.ofSeconds(60);
        }
        return new JobSettings(
                new WindowSettings(size, slide, binder.duration("out-of-orderness", Duration.ofSeconds(5))),
                binder.duration("max-ahead", Duration.ofHours(1)),
                binder.duration("idle-after", Duration.ofMinutes(2)),
                (int) binder.integer("parallelism", 2, 1, MAX_PARALLELISM),
                binder.duration("checkpoint-interval", Duration.ofSeconds(1)),
                binder.string("checkpoint-directory", ""),
                binder.oneOf("state-backend", StateBackend.HEAP, StateBackend.class),
                Optional.of(binder.string("state-directory", ""))
                        .filter(s -> !s.isEmpty())
                        .orElse(null),
                binder.bytes("pre-aggregation-memory", 64L << 20),
                Optional.of(binder.string("writer-schema", ""))
                        .filter(s -> !s.isEmpty())
                        .orElse(null));
    }
}
