package dev.millrace.core.window;

import dev.millrace.core.reading.DecodedReading;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Merges the readings of a device and slice before they cross the network: one {@link SliceTable} for each slice that is open
 * just now. Rows go out when their slice closes, before a checkpoint, and when the bound of memory is reached. Where most
 * rows would hold one reading only, it stands aside for a while: then a table costs and saves nothing. Not thread-safe.
 */
public final class PreAggregation implements ReadingMerge {
    /** With fewer readings per row than this (in quarters) merging costs more than it saves. */
    private static final int LEAST_QUARTERS_PER_ROW = 5;
    /** What is judged must be more than noise. */
    private static final long LEAST_READINGS_JUDGED = 10_000;

    private static final long READINGS_ASIDE = 1_000_000;
    /** Each open slice takes memory of its own; event times that are strewn over years must not take all there is. */
    private static final int MOST_SLICES = 32;

    private static final int MOST_IDLE_TABLES = 4;

    private final int mostRows;
    private final int longestName;
    private final Consumer<SlicePartial> out;
    private final SlicePartial partial = new SlicePartial();
    private final long[] singleRow = new long[DeviceRow.LONGS];
    private final SliceTable.Spare spare = new SliceTable.Spare();
    private final List<Slice> open = new ArrayList<>();
    private final Deque<SliceTable> idle = new ArrayDeque<>();
    private @Nullable Slice current;
    private int rows;
    private long aside;

    private record Slice(long end, SliceTable table) {}

    /**
     * @param memoryBytes the bound of all tables together; with less than a batch's rows nothing is merged
     * @param out gets every row; the partial is used again after it returns
     */
    public PreAggregation(long memoryBytes, Consumer<SlicePartial> out) {
        this.mostRows = (int) Math.min(Integer.MAX_VALUE >>> 2, memoryBytes / SliceTable.ROW_BYTES);
        // A batch must fit; with less room there is nothing to merge in, so every name is too long.
        this.longestName = mostRows < ReadingBatch.CAPACITY ? -1 : SliceTable.LONGEST_NAME;
        this.out = out;
    }

    @Override
    public void add(ReadingBatch batch) {
        int from = 0;
        while (from < batch.count) {
            if (aside > 0 || batch.readings[from].deviceLength() > longestName) {
                aside = Math.max(0, aside - 1);
                single(batch.readings[from], batch.sliceEnds[from], null);
                from++;
            } else {
                from = merge(batch, from);
            }
        }
        batch.count = 0;
    }

    /** Takes in the readings from {@code from} on that are of one slice; returns where they end. */
    private int merge(ReadingBatch batch, int from) {
        long sliceEnd = batch.sliceEnds[from];
        int to = from + 1;
        while (to < batch.count
                && batch.sliceEnds[to] == sliceEnd
                && batch.readings[to].deviceLength() <= longestName) {
            to++;
        }
        if (rows + (to - from) > mostRows) {
            flush();
            if (aside > 0) {
                return from;
            }
        }
        if (current == null || current.end != sliceEnd) {
            current = slice(sliceEnd);
        }
        SliceTable table = current.table;
        rows -= table.rows();
        table.add(batch.readings, from, to);
        rows += table.rows();
        return to;
    }

    @Override
    public void single(DecodedReading reading, long sliceEnd, @Nullable DeadLetter ifClosed) {
        partial.deviceId = reading.deviceId();
        partial.sliceEnd = sliceEnd;
        DeviceRow.clear(singleRow, 0);
        DeviceRow.add(singleRow, 0, reading);
        DeviceRow.read(singleRow, 0, partial.values);
        partial.ifClosed = ifClosed;
        out.accept(partial);
        partial.ifClosed = null;
    }

    private Slice slice(long end) {
        for (Slice slice : open) {
            if (slice.end == end) {
                return slice;
            }
        }
        if (open.size() == MOST_SLICES) {
            flush();
        }
        Slice slice = new Slice(end, idle.isEmpty() ? new SliceTable(spare) : idle.pop());
        open.add(slice);
        return slice;
    }

    @Override
    public void flushClosed(long watermark) {
        for (int i = open.size() - 1; i >= 0; i--) {
            if (open.get(i).end - 1 <= watermark) {
                flush(open.remove(i));
            }
        }
    }

    @Override
    public void flush() {
        flushClosed(Long.MAX_VALUE);
    }

    private void flush(Slice slice) {
        SliceTable table = slice.table;
        long readings = table.readings();
        if (readings >= LEAST_READINGS_JUDGED && readings * 4 < (long) table.rows() * LEAST_QUARTERS_PER_ROW) {
            aside = READINGS_ASIDE;
        }
        rows -= table.rows();
        partial.sliceEnd = slice.end;
        table.drain(partial, out);
        if (idle.size() < MOST_IDLE_TABLES) {
            idle.push(table);
        }
        if (current == slice) {
            current = null;
        }
    }
}
