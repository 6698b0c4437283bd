package dev.millrace.core.generate;

import java.util.Arrays;

/**
 * Which device sends reading number i, and as its how-many-eth. The stream is cut into cycles of equal length; in each,
 * every device has its quota of slots (one each, or by Zipf's law), in an order shuffled for that cycle. So the order is
 * random, yet walking upwards gives every device its sequence without a gap, and any index can be asked for at once.
 *
 * <p>Not thread-safe: it keeps the last few cycles.
 */
final class Cycles {
    private static final int KEPT = 4;
    private static final int SLOTS_PER_DEVICE = 8;
    private static final int MAX_ZIPF_SLOTS = 1 << 20;

    private final long seed;
    private final int[] quotas;
    /** For each device, where its slots begin when they are listed by device. */
    private final int[] offsets;

    private final int[] devicesBySlot;
    private final Cycle[] kept = new Cycle[KEPT];
    private Cycle current;
    /** The index of its first slot. */
    private long currentFrom;

    private int nextKept;

    Cycles(long seed, int devices, double zipfExponent) {
        this.seed = SplitMix64.mix(seed ^ 0x6379636c65L);
        this.quotas = quotas(devices, zipfExponent);
        this.offsets = new int[devices + 1];
        for (int device = 0; device < devices; device++) {
            offsets[device + 1] = offsets[device] + quotas[device];
        }
        this.devicesBySlot = new int[offsets[devices]];
        for (int device = 0; device < devices; device++) {
            Arrays.fill(devicesBySlot, offsets[device], offsets[device + 1], device);
        }
        this.current = cycle(0);
    }

    /** Slots of one cycle. */
    int length() {
        return devicesBySlot.length;
    }

    int device(long index) {
        int slot = enter(index);
        return current.devices[slot];
    }

    long sequence(long index) {
        int slot = enter(index);
        return current.number * quotas[current.devices[slot]] + current.ranks[slot];
    }

    /** The inverse: where in the stream the device's reading of that sequence stands. */
    long index(int device, long sequence) {
        int quota = quotas[device];
        Cycle cycle = cycle(sequence / quota);
        return cycle.number * length() + cycle.slots[offsets[device] + (int) (sequence % quota)];
    }

    private int enter(long index) {
        long slot = index - currentFrom;
        if (slot < 0 || slot >= devicesBySlot.length) {
            // A division costs more than all else here, and readings come one behind the other.
            long number = index / devicesBySlot.length;
            current = cycle(number);
            currentFrom = number * devicesBySlot.length;
            slot = index - currentFrom;
        }
        return (int) slot;
    }

    private Cycle cycle(long number) {
        for (Cycle cycle : kept) {
            if (cycle != null && cycle.number == number) {
                return cycle;
            }
        }
        // The oldest is built anew in place: a walk through millions of cycles makes no garbage.
        Cycle cycle = kept[nextKept];
        if (cycle == null || cycle == current) {
            cycle = new Cycle(length());
        }
        kept[nextKept] = cycle;
        nextKept = (nextKept + 1) % KEPT;
        shuffle(cycle, number);
        return cycle;
    }

    /** Fisher and Yates' shuffle of the slots, seeded with the cycle's number. */
    private void shuffle(Cycle cycle, long number) {
        int[] devices = cycle.devices;
        System.arraycopy(devicesBySlot, 0, devices, 0, devices.length);
        long state = SplitMix64.mix(seed + number * SplitMix64.STEP);
        for (int i = devices.length - 1; i > 0; i--) {
            state += SplitMix64.STEP;
            int j = SplitMix64.below(i + 1, (int) SplitMix64.mix(state));
            int device = devices[i];
            devices[i] = devices[j];
            devices[j] = device;
        }
        int[] next = cycle.next;
        Arrays.fill(next, 0, quotas.length, 0);
        for (int slot = 0; slot < devices.length; slot++) {
            int device = devices[slot];
            int rank = next[device]++;
            cycle.ranks[slot] = rank;
            cycle.slots[offsets[device] + rank] = slot;
        }
        cycle.number = number;
    }

    private static int[] quotas(int devices, double exponent) {
        int[] quotas = new int[devices];
        if (exponent == 0) {
            Arrays.fill(quotas, 1);
            return quotas;
        }
        double sum = 0;
        for (int k = 1; k <= devices; k++) {
            sum += StrictMath.pow(k, -exponent);
        }
        double slots = Math.max(devices, Math.min((long) devices * SLOTS_PER_DEVICE, MAX_ZIPF_SLOTS));
        for (int k = 1; k <= devices; k++) {
            quotas[k - 1] = (int) Math.max(1, slots * StrictMath.pow(k, -exponent) / sum);
        }
        return quotas;
    }

    private static final class Cycle {
        long number = -1;
        /** By slot. */
        final int[] devices;
        /** By slot: how many slots of the same device are before it. */
        final int[] ranks;
        /** By device and rank. */
        final int[] slots;

        final int[] next;

        Cycle(int length) {
            devices = new int[length];
            ranks = new int[length];
            slots = new int[length];
            next = new int[length];
        }
    }
}
