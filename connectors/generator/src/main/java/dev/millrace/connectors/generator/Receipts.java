package dev.millrace.connectors.generator;

import dev.millrace.connectors.api.broker.Publisher;
import dev.millrace.core.reading.Position;
import dev.millrace.core.settings.UserException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of readings that were offered, as the client's threads tell it. It does not touch the {@link Generator}, which writes
 * fields of its own for each reading: the threads would wait for each other's cache lines. Thread-safe.
 */
final class Receipts {
    private final Acknowledgements acknowledgements;
    private final Clock clock;
    private final @Nullable LongConsumer latencyMicros;
    private final BooleanSupplier stopping;
    private final Consumer<RuntimeException> failed;

    /**
     * @param latencyMicros told for every receipt how long after its intended send time it came, by the machine's clock; null when
     *     readings are not paced, and have none
     * @param stopping whether readings may stay unsettled
     * @param failed takes why the generator cannot go on
     */
    Receipts(
            Acknowledgements acknowledgements,
            Clock clock,
            @Nullable LongConsumer latencyMicros,
            BooleanSupplier stopping,
            Consumer<RuntimeException> failed) {
        this.acknowledgements = acknowledgements;
        this.clock = clock;
        this.latencyMicros = latencyMicros;
        this.stopping = stopping;
        this.failed = failed;
    }

    Publisher.Receipt of(long index, long intendedMicros) {
        return new OfReading(this, index, intendedMicros);
    }

    private record OfReading(Receipts all, long index, long intendedMicros) implements Publisher.Receipt {
        @Override
        public void stored(int partition, Position position) {
            all.acknowledgements.acknowledge(index, partition, position);
            if (all.latencyMicros != null) {
                all.latencyMicros.accept(all.clock.realMicros(all.clock.micros() - intendedMicros));
            }
        }

        @Override
        public void refused(String sentence) {
            all.failed.accept(new UserException("the broker refuses reading " + index + ": " + sentence));
        }

        @Override
        public void unknown(String sentence) {
            if (!all.stopping.getAsBoolean()) {
                all.failed.accept(new IllegalStateException("the fate of reading " + index + " is unknown (" + sentence
                        + "); started again, the generator reads the topic back and goes on"));
            }
        }
    }
}
