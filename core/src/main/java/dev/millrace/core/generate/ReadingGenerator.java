package dev.millrace.core.generate;

import dev.millrace.core.reading.Measure;
import dev.millrace.core.reading.Reading;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The stream of readings as a function of its index. A reading's fields depend on seed, device and sequence alone, its
 * times on the schedule as well; device and sequence depend on seed and index. Nothing is remembered, so any part of a
 * stream can be made again, in any order, on any machine.
 *
 * <p>Measures are multiples of 1/1024 below 2^17 in magnitude: up to 2^26 of them add up in double without rounding, in
 * any order. Not thread-safe; two generators of the same settings agree.
 */
public final class ReadingGenerator {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    /** By measure: least value and number of steps of 1/1024 from it to the greatest. */
    private static final int[] LEAST = {-40, 0, 870, 350, 20, 0, 0, -120};

    private static final int[] GREATEST = {85, 100, 1085, 5000, 120, 100_000, 100, -30};
    private static final double STEPS = 1024;
    private static final double TWO_TO_53 = 1L << 53;
    private static final int TRAFFIC_BELOW = 1 << 20;
    /** How many event types there are; every device sends all of them, equally often. */
    public static final int EVENT_TYPES = 200;

    private static final String[] EVENT_TYPE_NAMES = IntStream.range(0, EVENT_TYPES)
            .mapToObj(type -> "event-" + (1000 + type))
            .toArray(String[]::new);
    private static final Map<String, Integer> EVENT_TYPE_NUMBERS = IntStream.range(0, EVENT_TYPES)
            .boxed()
            .collect(Collectors.toUnmodifiableMap(type -> EVENT_TYPE_NAMES[type], type -> type));
    private static final int FIXED_BYTES = 8 * (3 + Measure.COUNT) + 3; // doubles, then motion, status, errorCount

    private final GeneratorSettings settings;
    private final Schedule schedule;
    private final Cycles cycles;
    private final Devices devices;
    private final long lateBelow;
    private final long behindBelow;

    /** Follows the schedule as it grows; the caller keeps both on one thread. */
    public ReadingGenerator(GeneratorSettings settings, Schedule schedule) {
        this.settings = settings;
        this.schedule = schedule;
        this.cycles = new Cycles(settings.seed(), settings.devices(), settings.zipfExponent());
        this.devices = new Devices(settings.seed(), settings.firstDevice(), settings.devices());
        this.lateBelow = (long) (settings.lateShare() * TWO_TO_53);
        this.behindBelow = lateBelow + (long) (settings.outOfOrderShare() * TWO_TO_53);
    }

    /** The number of the device that sends reading {@code index}, from 0. */
    public int device(long index) {
        return cycles.device(index);
    }

    /** The index of a device's reading, or -1 when there is no such device. */
    public long index(String deviceId, long sequence) {
        int device = settings.deviceNumber(deviceId);
        return device < 0 || sequence < 0 ? -1 : cycles.index(device, sequence);
    }

    /** How an event type's number is written in readings. */
    public static String eventType(int number) {
        return EVENT_TYPE_NAMES[number];
    }

    /** The number behind an event type, from 0; -1 when it is none of a generator's. */
    public static int eventTypeNumber(String eventType) {
        return EVENT_TYPE_NUMBERS.getOrDefault(eventType, -1);
    }

    /** All fields: the payload of it is exactly {@link GeneratorSettings#payloadBytes()} long. */
    public void reading(long index, Reading into) {
        long state = values(index, into);
        int device = cycles.device(index);
        into.deviceId = devices.ids[device];
        into.deviceType = devices.types[device];
        into.customerId = devices.customers[device];
        into.siteId = devices.sites[device];
        into.firmware = devices.firmwares[device];
        into.latitude = devices.latitudes[device];
        into.longitude = devices.longitudes[device];
        into.altitude = devices.altitudes[device];
        int rest = settings.payloadBytes() - bytesWithoutFiller(into);
        int length = fillerLength(rest);
        if (length < 0) {
            // Between lengths whose prefix has one byte and two, one total cannot be reached: shift by a letter.
            into.firmware += "r";
            length = fillerLength(rest - 1);
        }
        if (into.filler.length != length) {
            into.filler = new byte[length];
        }
        fill(into.filler, (int) Math.round(length * settings.payloadEntropy()), state);
    }

    /**
     * What a job is made of: sequence, times, measures, counters, status and event type; other strings, place and filler stay
     * as they were.
     *
     * @return where the reading's random numbers go on
     */
    public long values(long index, Reading into) {
        int device = cycles.device(index);
        long sequence = cycles.sequence(index);
        long state = SplitMix64.mix(devices.keys[device] ^ SplitMix64.mix(sequence + SplitMix64.STEP));
        long random = 0;
        for (int i = 0; i < Measure.COUNT; i++) {
            if ((i & 1) == 0) {
                random = SplitMix64.mix(state += SplitMix64.STEP);
            }
            int steps = (GREATEST[i] - LEAST[i]) * 1024 + 1;
            into.measures[i] = LEAST[i] + SplitMix64.below(steps, (int) random) / STEPS;
            random >>>= 32;
        }
        random = SplitMix64.mix(state += SplitMix64.STEP);
        into.packetsSent = SplitMix64.below(TRAFFIC_BELOW, (int) random);
        into.packetsReceived = SplitMix64.below(TRAFFIC_BELOW, (int) (random >>> 32));
        random = SplitMix64.mix(state += SplitMix64.STEP);
        into.bytesSent = SplitMix64.below(TRAFFIC_BELOW, (int) random);
        into.bytesReceived = SplitMix64.below(TRAFFIC_BELOW, (int) (random >>> 32));
        random = SplitMix64.mix(state += SplitMix64.STEP);
        into.motion = (random & 1) != 0;
        into.errorCount = (random & 0x1e) == 0 ? SplitMix64.below(10, (int) (random >>> 5)) : 0;
        into.eventType = EVENT_TYPE_NAMES[SplitMix64.below(EVENT_TYPES, (int) (random >>> 28))];
        // 13 of 16 are online, one of each of the others.
        into.status = Math.max(0, (int) (random >>> 60) - 12);
        into.sequence = sequence;
        into.intendedSendTime = schedule.timeMicros(index);
        into.eventTime = Math.floorDiv(into.intendedSendTime, 1000) - behindMillis(state += SplitMix64.STEP);
        return state;
    }

    private long behindMillis(long state) {
        if (behindBelow == 0) {
            return 0;
        }
        long random = SplitMix64.mix(state);
        long share = random >>> 11;
        int amount = (int) SplitMix64.mix(~state);
        long bound = settings.outOfOrdernessMillis();
        if (share < lateBelow) {
            return bound + 1 + SplitMix64.below(GeneratorSettings.LATE_SPAN_MILLIS, amount);
        }
        return share < behindBelow ? 1 + SplitMix64.below((int) bound - 1, amount) : 0;
    }

    private static void fill(byte[] filler, int random, long state) {
        int at = 0;
        for (; at + Long.BYTES <= random; at += Long.BYTES) {
            LONGS.set(filler, at, SplitMix64.mix(state += SplitMix64.STEP));
        }
        long last = SplitMix64.mix(state + SplitMix64.STEP);
        for (; at < random; at++, last >>>= 8) {
            filler[at] = (byte) last;
        }
        java.util.Arrays.fill(filler, random, filler.length, (byte) 0);
    }

    private static int bytesWithoutFiller(Reading reading) {
        return FIXED_BYTES
                + stringBytes(reading.deviceId)
                + stringBytes(reading.deviceType)
                + stringBytes(reading.customerId)
                + stringBytes(reading.siteId)
                + stringBytes(reading.firmware)
                + stringBytes(reading.eventType)
                + varintBytes(reading.sequence)
                + varintBytes(reading.eventTime)
                + varintBytes(reading.intendedSendTime)
                + varintBytes(reading.packetsSent)
                + varintBytes(reading.packetsReceived)
                + varintBytes(reading.bytesSent)
                + varintBytes(reading.bytesReceived);
    }

    /** The filler's length such that prefix and filler take {@code bytes}; -1 when there is none. */
    private static int fillerLength(int bytes) {
        for (int prefix = 1; prefix <= 5; prefix++) {
            int length = bytes - prefix;
            if (varintBytes(length) == prefix) {
                return length;
            }
        }
        return -1;
    }

    private static int stringBytes(String ascii) {
        return varintBytes(ascii.length()) + ascii.length();
    }

    /** Avro's zigzag variable-length number. */
    private static int varintBytes(long value) {
        long zigzag = (value << 1) ^ (value >> 63);
        return zigzag == 0 ? 1 : (Long.SIZE - Long.numberOfLeadingZeros(zigzag) + 6) / 7;
    }
}
