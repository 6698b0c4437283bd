package dev.millrace.connectors.generator;

import dev.millrace.core.audit.IndexRanges;
import dev.millrace.core.concurrent.SingleWriterLong;
import dev.millrace.core.reading.Position;
import java.util.Arrays;
import java.util.Map;

/**
 * Which readings the broker has: everything below a base, and a ring of bits from there on. Receipts come on the client's threads,
 * and snapshots are taken on another. The sending thread alone restores, asks for room and offers; while it sends it takes no lock
 * that a receipt may hold.
 */
final class Acknowledgements {
    /** How far sending may run ahead of the oldest reading without receipt; 8 MiB of bits. */
    static final long MAX_AHEAD = 1L << 26;

    private long[] words = new long[1024];
    private long base;
    private long end;
    private long count;
    /** Written by the sending thread alone, for each reading; receipts do not look at it. */
    private final SingleWriterLong offeredTo = new SingleWriterLong();
    /** The end of the room as the sending thread saw it last; it only grows. */
    private long roomTo = MAX_AHEAD;

    private final LatestPositions latest = new LatestPositions();
    private Map<Integer, Position> readBackFrom = Map.of();
    /** What takes the place of {@link #readBackFrom} once everything is acknowledged that was offered when it was taken. */
    private Map<Integer, Position> next = Map.of();

    private long nextOfferedTo;

    /** What a snapshot holds; taken in one moment. */
    record View(IndexRanges acknowledged, long offeredTo, Map<Integer, Position> readBackFrom) {}

    /** Goes on from a ledger. */
    synchronized void restore(IndexRanges acknowledged, long offered, Map<Integer, Position> readBackFrom) {
        for (int i = 0; i < acknowledged.size(); i++) {
            if (acknowledged.from(i) == base) {
                base = acknowledged.to(i);
                count = base;
                end = base;
            } else {
                for (long index = acknowledged.from(i); index < acknowledged.to(i); index++) {
                    set(index);
                }
            }
        }
        offeredTo.set(Math.max(offered, end));
        readBackFrom.forEach(latest::advance);
        this.readBackFrom = readBackFrom;
        next = readBackFrom;
    }

    /** Whether that reading may be offered now. */
    boolean hasRoom(long index) {
        if (index >= roomTo) {
            synchronized (this) {
                roomTo = base + MAX_AHEAD;
            }
        }
        return index < roomTo;
    }

    /** Must be called before a reading is handed to the client: from then on its fate is unknown. */
    void offering(long index) {
        if (index >= offeredTo.get()) {
            offeredTo.set(index + 1);
        }
    }

    /** The last offer was not taken and will not be repeated. */
    synchronized void notOffered(long index) {
        if (offeredTo.get() == index + 1 && end <= index) {
            offeredTo.set(index);
        }
    }

    /** The sending thread found that reading in the topic, before it sends. True when this is news. */
    boolean found(long index, int partition, Position position) {
        offering(index);
        return acknowledge(index, partition, position);
    }

    /** The receipt of a reading that was offered. True when this is news. */
    synchronized boolean acknowledge(long index, int partition, Position position) {
        latest.advance(partition, position);
        if (index < base || index < end && isSet(index)) {
            return false;
        }
        set(index);
        while (base < end && isSet(base)) {
            words[word(base)] &= ~(1L << base);
            base++;
        }
        return true;
    }

    /** How many readings are acknowledged. */
    synchronized long count() {
        return count;
    }

    long offeredTo() {
        return offeredTo.get();
    }

    /**
     * For the ledger. Receipts of one partition need not come in order, and one may take as long as a search in the topic: the
     * positions to read back from are of a moment after which everything without receipt was offered, so that it stands behind them.
     */
    synchronized View snapshot() {
        // In this order: what is acknowledged is then below what is offered, however fast the sending thread is.
        IndexRanges acknowledged = ranges();
        if (base >= nextOfferedTo) {
            readBackFrom = next;
            // In this order: what is offered in between has to be acknowledged, too.
            next = latest.toMap();
            nextOfferedTo = offeredTo.get();
        }
        return new View(acknowledged, offeredTo.get(), readBackFrom);
    }

    /** What is offered and not acknowledged. */
    synchronized IndexRanges open() {
        IndexRanges acknowledged = ranges();
        return acknowledged.missingBelow(offeredTo.get());
    }

    private IndexRanges ranges() {
        long[] bounds = new long[64];
        int size = 0;
        if (base > 0) {
            bounds[size++] = 0;
            bounds[size++] = base;
        }
        long index = base;
        while (index < end) {
            if ((index & 63) == 0 && words[word(index)] == 0) {
                index += 64;
            } else if (!isSet(index)) {
                index++;
            } else {
                long from = index;
                while (index < end && isSet(index)) {
                    boolean wholeWord = (index & 63) == 0 && index + 64 <= end && words[word(index)] == -1;
                    index += wholeWord ? 64 : 1;
                }
                if (size + 2 > bounds.length) {
                    bounds = Arrays.copyOf(bounds, size * 2);
                }
                bounds[size++] = from;
                bounds[size++] = index;
            }
        }
        return IndexRanges.of(Arrays.copyOf(bounds, size));
    }

    private void set(long index) {
        if (index - base >= MAX_AHEAD) {
            throw new IllegalStateException("reading " + index + " is acknowledged, " + base + " is not yet");
        }
        while (index - base >= (words.length - 1) * 64L) {
            grow();
        }
        words[word(index)] |= 1L << index;
        end = Math.max(end, index + 1);
        count++;
    }

    private void grow() {
        long[] before = words;
        words = new long[before.length * 2];
        for (long index = base & ~63L; index < end; index += 64) {
            words[word(index)] = before[(int) (index >>> 6) & before.length - 1];
        }
    }

    private boolean isSet(long index) {
        return (words[word(index)] & 1L << index) != 0;
    }

    private int word(long index) {
        return (int) (index >>> 6) & words.length - 1;
    }
}
