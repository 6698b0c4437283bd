package dev.millrace.core.audit;

import dev.millrace.core.generate.ReadingGenerator;
import dev.millrace.core.generate.Schedule;
import dev.millrace.core.reading.Reading;
import java.util.ArrayDeque;
import java.util.TreeMap;

/**
 * Makes the acknowledged readings again, in the order of the stream, and books each into every window that holds it. Only
 * the windows that a reading still to come may fall into are in memory.
 */
final class ExpectedWindows {
    private final Ledger ledger;
    private final long sizeMillis;
    private final long slideMillis;
    private final long from;
    private final long to;
    private final Schedule schedule;
    private final ReadingGenerator generator;
    private final Reading reading = new Reading();
    private final TreeMap<Long, Tally> byWindowEnd = new TreeMap<>();
    private final ArrayDeque<Tally> spare = new ArrayDeque<>();
    private final long end;
    private long next;
    private int range;
    private long open;
    // The window that took the last reading, which mostly takes the next one too.
    private long latestEnd = Long.MIN_VALUE;
    private Tally latest;

    /** Windows with {@code from < windowEnd <= to}. */
    ExpectedWindows(Ledger ledger, long sizeMillis, long slideMillis, long from, long to) {
        this.ledger = ledger;
        this.sizeMillis = sizeMillis;
        this.slideMillis = slideMillis;
        this.from = from;
        this.to = to;
        this.schedule = ledger.schedule().copy();
        this.generator = new ReadingGenerator(ledger.settings(), schedule);
        this.end = Math.max(ledger.offeredTo(), ledger.acknowledged().end());
        long sendsBefore = Math.max(from, Long.MIN_VALUE / 2000) - sizeMillis;
        this.next = schedule.isEmpty() ? end : schedule.dueBy(Math.multiplyExact(sendsBefore, 1000) - 1);
    }

    /** Books every reading that belongs to a window ending by {@code windowEnd}. */
    void advanceTo(long windowEnd) {
        long behind = ledger.settings().maxBehindMillis();
        IndexRanges acknowledged = ledger.acknowledged();
        while (next < end && Math.floorDiv(schedule.timeMicros(next), 1000) - behind < windowEnd) {
            while (range < acknowledged.size() && acknowledged.to(range) <= next) {
                range++;
            }
            generator.values(next, reading);
            if (range < acknowledged.size() && acknowledged.from(range) <= next) {
                book(generator.device(next));
            } else if (isAudited(reading.eventTime)) {
                open++;
            }
            next++;
        }
    }

    /** The windows there are so far, by their end; what is polled from it should be given back. */
    TreeMap<Long, Tally> byWindowEnd() {
        return byWindowEnd;
    }

    /** Takes a tally that is done with, to be used again. */
    void giveBack(Tally tally) {
        tally.clear();
        spare.push(tally);
        latestEnd = Long.MIN_VALUE;
    }

    /** Readings in audited windows whose fate is unknown, as far as this has come. */
    long open() {
        return open;
    }

    private void book(int device) {
        long eventTime = reading.eventTime;
        for (long windowEnd = lastWindowEnd(eventTime); windowEnd > eventTime; windowEnd -= slideMillis) {
            if (windowEnd > from && windowEnd <= to) {
                tally(windowEnd).add(device, reading);
            }
        }
    }

    private boolean isAudited(long eventTime) {
        for (long windowEnd = lastWindowEnd(eventTime); windowEnd > eventTime; windowEnd -= slideMillis) {
            if (windowEnd > from && windowEnd <= to) {
                return true;
            }
        }
        return false;
    }

    /** The end of the last window that holds that time: windows start at multiples of the slide. */
    private long lastWindowEnd(long eventTime) {
        return Math.floorDiv(eventTime, slideMillis) * slideMillis + sizeMillis;
    }

    private Tally tally(long windowEnd) {
        if (windowEnd != latestEnd) {
            latest = byWindowEnd.computeIfAbsent(
                    windowEnd,
                    e -> spare.isEmpty() ? new Tally(ledger.settings().devices()) : spare.pop());
            latestEnd = windowEnd;
        }
        return latest;
    }
}
