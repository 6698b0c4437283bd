package dev.millrace.core.generate;

import dev.millrace.core.settings.UserException;
import java.util.ArrayList;
import java.util.List;

/**
 * What decides every byte of every reading, together with the schedule.
 *
 * @param devices 1 to {@link #MAX_DEVICES}
 * @param firstDevice the number of the first of them, which is in its id; others are of other generators on the same topic
 * @param allDevices of all generators on the topic together, numbered from 0; at most {@link #MAX_ALL_DEVICES}
 * @param zipfExponent 0: every device sends equally often; above 0: device k with weight 1 / (k+1)^exponent
 * @param payloadBytes the size of every payload, {@link #MIN_PAYLOAD_BYTES} to {@link #MAX_PAYLOAD_BYTES}
 * @param payloadEntropy the share of the filler that does not compress, 0 to 1
 * @param outOfOrderShare the share of readings that are behind, by less than {@code outOfOrderness}
 * @param lateShare the share of readings that are behind by more than {@code outOfOrderness}, at most
 *     {@link #LATE_SPAN_MILLIS} more
 * @param outOfOrdernessMillis the bound that the job is told, milliseconds
 */
public record GeneratorSettings(
        long seed,
        int devices,
        int firstDevice,
        int allDevices,
        double zipfExponent,
        int payloadBytes,
        double payloadEntropy,
        double outOfOrderShare,
        double lateShare,
        long outOfOrdernessMillis) {

    public static final int MAX_DEVICES = 1_000_000;
    /** As many as there are ids. */
    public static final int MAX_ALL_DEVICES = 10_000_000;
    /** All fields but the filler at their longest, and a little room. */
    public static final int MIN_PAYLOAD_BYTES = 200;

    public static final int MAX_PAYLOAD_BYTES = 16 << 20;
    /** How much further than the bound a late reading may be behind. */
    public static final int LATE_SPAN_MILLIS = 30_000;
    /** A generator that was dead for longer does not make up for it: nobody wants the load of a night at once. */
    public static final int MAX_CATCH_UP_MILLIS = 60_000;

    /** Throws {@link UserException} with every problem there is. */
    public GeneratorSettings {
        List<String> problems = new ArrayList<>();
        check(problems, devices >= 1 && devices <= MAX_DEVICES, "devices " + devices, "1 to " + MAX_DEVICES);
        check(
                problems,
                allDevices >= 1 && allDevices <= MAX_ALL_DEVICES,
                "all-devices " + allDevices,
                "1 to " + MAX_ALL_DEVICES);
        check(
                problems,
                firstDevice >= 0 && (long) firstDevice + devices <= allDevices,
                "the number behind the last device, first-device " + firstDevice + " and devices " + devices + " more,",
                "at most all-devices, " + allDevices);
        check(problems, zipfExponent >= 0 && zipfExponent <= 4, "zipf exponent " + zipfExponent, "0 to 4");
        check(
                problems,
                payloadBytes >= MIN_PAYLOAD_BYTES && payloadBytes <= MAX_PAYLOAD_BYTES,
                "payload-bytes " + payloadBytes,
                MIN_PAYLOAD_BYTES + " (the fields without filler need that much) to " + MAX_PAYLOAD_BYTES);
        check(problems, isShare(payloadEntropy), "payload-entropy " + payloadEntropy, "0 to 1");
        check(problems, isShare(outOfOrderShare), "out-of-order-share " + outOfOrderShare, "0 to 1");
        check(problems, isShare(lateShare), "late-share " + lateShare, "0 to 1");
        check(problems, outOfOrderShare + lateShare <= 1, "the sum of out-of-order-share and late-share", "at most 1");
        check(
                problems,
                outOfOrdernessMillis >= 0 && outOfOrdernessMillis <= 3_600_000,
                "out-of-orderness " + outOfOrdernessMillis + "ms",
                "0 to 1h");
        check(
                problems,
                outOfOrderShare == 0 || outOfOrdernessMillis >= 2,
                "out-of-orderness " + outOfOrdernessMillis + "ms",
                "at least 2ms when there is an out-of-order-share");
        if (!problems.isEmpty()) {
            throw new UserException(String.join("; ", problems));
        }
    }

    /** Of the only generator on its topic. */
    public GeneratorSettings(
            long seed,
            int devices,
            double zipfExponent,
            int payloadBytes,
            double payloadEntropy,
            double outOfOrderShare,
            double lateShare,
            long outOfOrdernessMillis) {
        this(
                seed,
                devices,
                0,
                devices,
                zipfExponent,
                payloadBytes,
                payloadEntropy,
                outOfOrderShare,
                lateShare,
                outOfOrdernessMillis);
    }

    /** How a device is called in its readings; this generator's are numbered from 0 here. */
    public String deviceId(int device) {
        return Devices.id(firstDevice + device);
    }

    /** Which of this generator's devices is called so, from 0; -1 when none is. */
    public int deviceNumber(String deviceId) {
        int device = Devices.number(deviceId) - firstDevice;
        return device >= 0 && device < devices ? device : -1;
    }

    /** Whether a device so called is another generator's on the same topic. */
    public boolean isAnothers(String deviceId) {
        if (!hasOthers()) {
            return false;
        }
        int number = Devices.number(deviceId);
        return number >= 0 && number < allDevices && (number < firstDevice || number >= firstDevice + devices);
    }

    /** Whether other generators send to the same topic. */
    public boolean hasOthers() {
        return allDevices > devices;
    }

    /** Devices alike, 300 bytes that do not compress, everything in order, a bound of 5 s. */
    public static GeneratorSettings of(long seed, int devices) {
        return new GeneratorSettings(seed, devices, 0, 300, 1, 0, 0, 5_000);
    }

    /** By how much the event time of a reading may at most be before its intended send time, milliseconds. */
    public long maxBehindMillis() {
        if (lateShare > 0) {
            return outOfOrdernessMillis + LATE_SPAN_MILLIS;
        }
        return outOfOrderShare > 0 ? outOfOrdernessMillis : 0;
    }

    private static boolean isShare(double value) {
        return value >= 0 && value <= 1;
    }

    private static void check(List<String> problems, boolean right, String what, String rule) {
        if (!right) {
            problems.add(what + " must be " + rule);
        }
    }
}
