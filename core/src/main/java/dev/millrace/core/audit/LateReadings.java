package dev.millrace.core.audit;

import dev.millrace.core.generate.GeneratorSettings;
import dev.millrace.core.reading.Reading;
import dev.millrace.core.settings.WindowSettings;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The late readings by the windows that they would have been in, of those that end in the audited range. */
final class LateReadings {
    private final LatePayload payloads = new LatePayload();
    private final long sizeMillis;
    private final long slideMillis;
    private final Duration outOfOrderness;
    private final GeneratorSettings settings;
    private final long from;
    private final long to;
    private long count;
    private long withinBound;
    private final TreeMap<Long, Map<Integer, Tally>> byWindowEnd = new TreeMap<>();

    LateReadings(WindowSettings window, GeneratorSettings settings, long from, long to) {
        this.sizeMillis = window.sizeMillis();
        this.slideMillis = window.slideMillis();
        this.outOfOrderness = window.outOfOrderness();
        this.settings = settings;
        this.from = from;
        this.to = to;
    }

    /** Books a late dead letter's payload, unless it is another generator's; what is wrong with it when it cannot be one of the ledger's. */
    Optional<String> add(byte[] payload) {
        Optional<String> problem = payloads.read(payload);
        if (problem.isPresent()) {
            count++;
            return problem;
        }
        Reading reading = payloads.reading();
        if (settings.isAnothers(reading.deviceId)) {
            return Optional.empty();
        }
        count++;
        int device = settings.deviceNumber(reading.deviceId);
        if (device < 0) {
            return Optional.of("is of device '" + reading.deviceId + "', which is not in the ledger");
        }
        if (payloads.isWithin(outOfOrderness)) {
            withinBound++;
        }
        long last = Math.floorDiv(reading.eventTime, slideMillis) * slideMillis + sizeMillis;
        for (long windowEnd = last; windowEnd > reading.eventTime; windowEnd -= slideMillis) {
            if (windowEnd <= from || windowEnd > to) {
                continue;
            }
            byWindowEnd
                    .computeIfAbsent(windowEnd, e -> new HashMap<>())
                    .computeIfAbsent(device, d -> new Tally(1))
                    .add(0, reading);
        }
        return Optional.empty();
    }

    /** How many were added that are not another generator's. */
    long count() {
        return count;
    }

    /** How many of them no job with that bound may find late. */
    long withinBound() {
        return withinBound;
    }

    /** Takes out a device's late readings of that window; null when there are none. */
    @Nullable
    Tally take(long windowEnd, int device) {
        Map<Integer, Tally> ofWindow = byWindowEnd.get(windowEnd);
        return ofWindow == null ? null : ofWindow.remove(device);
    }

    /** What was not taken out, by window end and device. */
    TreeMap<Long, Map<Integer, Tally>> byWindowEnd() {
        return byWindowEnd;
    }
}
