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
 * just now. Rows go out when their slice closes and before a checkpoint. When the bound of memory is reached, a device without a
 * row gets none, and its readings pass as they are: however devices take turns, those that have rows keep them, where rows
 * that make room for others would all be gone before their device's next reading. Where most rows would hold one reading only,
 * it stands aside for a while: then a table costs and saves nothing. Not thread-safe.
 */
public final class PreAggregation implements ReadingMerge {
    /** With fewer readings per row than this (in quarters) merging costs more than it saves. */
    private static final int LEAST_QUARTERS_PER_ROW = 5;
    /** What is judged must be more than noise. */
    private static final long LEAST_READINGS_JUDGED = 100_000;

    /** For each reading that was judged: what was seen of few is not believed for long. */
    private static final long ASIDE_PER_READING = 8;

    private static final long MOST_ASIDE = 1_000_000;
    /** After so many readings without room other devices may send than those that have rows: all begin anew. */
    private static final long MOST_REFUSED = 1_000_000;
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
    /** Readings without room since all rows went. */
    private long refused;

    private long readingsJudged;
    private long rowsJudged;

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
            makeRoom(sliceEnd);
            if (aside > 0) {
                return from;
            }
        }
        SliceTable table = slice(sliceEnd).table;
        if (table.readings() > DeviceRow.MOST_READINGS - ReadingBatch.CAPACITY) {
            flush();
            return from;
        }
        rows -= table.rows();
        int without = table.add(batch.readings, from, to, mostRows - rows - table.rows());
        rows += table.rows();
        for (int i = 0; i < without; i++) {
            single(batch.readings[table.refused(i)], sliceEnd, null);
        }
        refused += without;
        return to;
    }

    /** Lets go what most likely has had its readings, if there is such. */
    private void makeRoom(long sliceEnd) {
        Slice largest = open.get(0);
        for (Slice slice : open) {
            if (slice.table.rows() > largest.table.rows()) {
                largest = slice;
            }
        }
        if (largest.end < sliceEnd) {
            open.remove(largest);
            flush(largest);
        } else if (refused > MOST_REFUSED) {
            flush();
        }
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
        if (current != null && current.end == end) {
            return current;
        }
        for (Slice slice : open) {
            if (slice.end == end) {
                current = slice;
                return slice;
            }
        }
        if (open.size() == MOST_SLICES) {
            flush();
        }
        Slice slice = new Slice(end, idle.isEmpty() ? new SliceTable(spare) : idle.pop());
        open.add(slice);
        current = slice;
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
        refused = 0;
        flushClosed(Long.MAX_VALUE);
    }

    /** Several slices together: of one that is behind the others a few readings come now and then, and each makes a row. */
    private void judge(long readings, long rows) {
        readingsJudged += readings;
        rowsJudged += rows;
        if (readingsJudged >= LEAST_READINGS_JUDGED) {
            if (readingsJudged * 4 < rowsJudged * LEAST_QUARTERS_PER_ROW) {
                aside = Math.min(MOST_ASIDE, readingsJudged * ASIDE_PER_READING);
            }
            readingsJudged = 0;
            rowsJudged = 0;
        }
    }

    private void flush(Slice slice) {
        SliceTable table = slice.table;
        judge(table.readings(), table.rows());
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
