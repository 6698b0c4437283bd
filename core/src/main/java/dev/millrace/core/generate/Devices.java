package dev.millrace.core.generate;

import java.util.Locale;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** What does not change from one reading of a device to the next. Lengths are fixed: the payload's size is built on them. */
final class Devices {
    private static final String PREFIX = "device-";
    private static final int DIGITS = 7;

    // Devices share these texts: with a million of them, texts of their own filled the generator's heap.
    private static final String[] TYPES = {"thermostat", "airquality", "weathersta", "doorsensor", "powermeter"};
    private static final String[] CUSTOMERS = texts(100, i -> String.format(Locale.ROOT, "customer-%04d", i));
    private static final String[] SITES = texts(1000, i -> String.format(Locale.ROOT, "site-%05d", i));
    private static final String[] FIRMWARES = texts(90, i -> "4.2." + (10 + i));

    final String[] ids;
    final String[] types;
    final String[] customers;
    final String[] sites;
    final String[] firmwares;
    final double[] latitudes;
    final double[] longitudes;
    final double[] altitudes;
    /** Where each device's pseudo-random readings begin. */
    final long[] keys;

    /** @param first the number of the first: what a device sends does not depend on how many generators there are */
    Devices(long seed, int first, int count) {
        ids = new String[count];
        types = new String[count];
        customers = new String[count];
        sites = new String[count];
        firmwares = new String[count];
        latitudes = new double[count];
        longitudes = new double[count];
        altitudes = new double[count];
        keys = new long[count];
        for (int device = 0; device < count; device++) {
            long key = SplitMix64.mix(SplitMix64.mix(seed) + (first + device + 1) * SplitMix64.STEP);
            long more = SplitMix64.mix(key + SplitMix64.STEP);
            keys[device] = key;
            ids[device] = id(first + device);
            types[device] = one(TYPES, (int) key);
            customers[device] = one(CUSTOMERS, (int) (key >>> 32));
            sites[device] = one(SITES, (int) (key >>> 16));
            firmwares[device] = one(FIRMWARES, (int) (key >>> 8));
            latitudes[device] = SplitMix64.below(140 * 1024, (int) more) / 1024.0 - 70;
            longitudes[device] = SplitMix64.below(360 * 1024, (int) (more >>> 32)) / 1024.0 - 180;
            altitudes[device] = SplitMix64.below(3000 * 1024, (int) (more >>> 16)) / 1024.0 - 100;
        }
    }

    private static String[] texts(int count, IntFunction<String> text) {
        return IntStream.range(0, count).mapToObj(text).toArray(String[]::new);
    }

    private static String one(String[] of, int random) {
        return of[SplitMix64.below(of.length, random)];
    }

    static String id(int device) {
        String digits = Integer.toString(device);
        return PREFIX + "0".repeat(DIGITS - digits.length()) + digits;
    }

    /** The device's number; -1 when the text is no id of ours. */
    static int number(String id) {
        if (id.length() != PREFIX.length() + DIGITS || !id.startsWith(PREFIX)) {
            return -1;
        }
        int number = 0;
        for (int i = PREFIX.length(); i < id.length(); i++) {
            int digit = id.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            number = number * 10 + digit;
        }
        return number;
    }
}
