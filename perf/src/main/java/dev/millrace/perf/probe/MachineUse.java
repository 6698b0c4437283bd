package dev.millrace.perf.probe;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * What the machine has counted since it started (proc(5): stat, vmstat) on the processors that this process may use; ticks are 0
 * where there is no {@code /proc}. In a container with a quota of processor time, of that instead: the machine's processors are not there for it.
 *
 * @param totalTicks of those processors, in whatever state
 * @param stolenTicks that the hypervisor gave to others, or a quota held back
 * @param busyTicks in which something ran
 * @param neighbourTicks in which a process ran that is neither this one nor was started by it; NaN when that is not known
 * @param swappedPages in and out; NaN when that is not known
 */
public record MachineUse(
        long totalTicks, long stolenTicks, long busyTicks, double neighbourTicks, double swappedPages) {
    /** Nothing was counted, or nobody looked. */
    public static final MachineUse UNKNOWN = new MachineUse(0, 0, 0, Double.NaN, Double.NaN);

    /** USER_HZ is 100. */
    private static final double NANOS_OF_TICK = 1e7;

    /** User, nice and system come before it: what is behind is no process's time. */
    private static final int IDLE = 3;

    private static final int WAITS = 4;
    private static final int STEAL = 7;
    /** What follows is time of guests, which is in the first two already. */
    private static final int COLUMNS = 8;

    /**
     * @param startedAll whether all that is measured was started by this process, or by what it started; nobody can tell the rest, as a
     *     person's own broker, from neighbours
     */
    public static MachineUse now(boolean startedAll) {
        MachineUse machine = now();
        return startedAll
                ? machine
                : new MachineUse(
                        machine.totalTicks, machine.stolenTicks, machine.busyTicks, Double.NaN, machine.swappedPages);
    }

    private static MachineUse now() {
        List<String> stat = lines("stat");
        BitSet processors = ProcessorSet.of(ProcessHandle.current().pid());
        long ownTicks = OwnTime.ticks();
        MachineUse machine = parse(stat, lines("vmstat"), processors, ownTicks);
        long there = stat.stream()
                .map(line -> line.split(" ")[0])
                .filter(name -> name.matches("cpu\\d+") && (processors.isEmpty() || isOf(processors, name)))
                .count();
        return CpuQuota.here()
                .filter(quota -> quota.cores() < there)
                .map(quota -> machine.within(quota, System.nanoTime(), ownTicks))
                .orElse(machine);
    }

    /** What is held back by a quota is as little there for the taking as what others have. */
    MachineUse within(CpuQuota quota, long nanos, long ownTicks) {
        long busy = (long) (quota.usageMicros() * 1e3 / NANOS_OF_TICK);
        return new MachineUse(
                (long) (nanos / NANOS_OF_TICK * quota.cores()),
                stolenTicks + (long) (quota.throttledMicros() * 1e3 / NANOS_OF_TICK),
                busy,
                busy - ownTicks,
                swappedPages);
    }

    /** @param processors by the kernel's numbers; the rest of the machine is not counted; empty: all are */
    static MachineUse parse(List<String> stat, List<String> vmstat, BitSet processors, long ownTicks) {
        long total = 0;
        long stolen = 0;
        long busy = 0;
        long processes = 0;
        for (String line : stat) {
            // The line of the interrupts alone may be thousands of numbers.
            if (!line.startsWith("cpu")) {
                continue;
            }
            String[] columns = line.strip().split("\\s+");
            if (!isOf(processors, columns[0])) {
                continue;
            }
            for (int i = 0; i < COLUMNS && i + 1 < columns.length; i++) {
                long ticks = Long.parseLong(columns[i + 1]);
                total += ticks;
                stolen += i == STEAL ? ticks : 0;
                busy += i == IDLE || i == WAITS || i == STEAL ? 0 : ticks;
                processes += i < IDLE ? ticks : 0;
            }
        }
        long[] swapped = vmstat.stream()
                .filter(line -> line.startsWith("pswpin ") || line.startsWith("pswpout "))
                .mapToLong(line -> Long.parseLong(line.split(" ")[1]))
                .toArray();
        return new MachineUse(
                total,
                stolen,
                busy,
                processes - ownTicks,
                swapped.length == 0 ? Double.NaN : Arrays.stream(swapped).sum());
    }

    /** Whether a line so named is of one of them: {@code cpu} of all, {@code cpu3} of one (proc_stat(5)). */
    private static boolean isOf(BitSet processors, String name) {
        if (processors.isEmpty()) {
            return name.equals("cpu");
        }
        return name.matches("cpu\\d+") && processors.get(Integer.parseInt(name.substring(3)));
    }

    /** What was counted between {@code before} and this. */
    public MachineUse since(MachineUse before) {
        return new MachineUse(
                totalTicks - before.totalTicks,
                stolenTicks - before.stolenTicks,
                busyTicks - before.busyTicks,
                neighbourTicks - before.neighbourTicks,
                swappedPages - before.swappedPages);
    }

    /** Whether anything was counted; the shares are NaN otherwise. */
    public boolean isKnown() {
        return totalTicks > 0;
    }

    /** Share of processor time, 0 to 1. */
    public double stolenShare() {
        return share(stolenTicks);
    }

    /** Share of processor time, 0 to 1. */
    public double busyShare() {
        return share(busyTicks);
    }

    /**
     * Share of processor time, 0 to 1, that other processes took; NaN when it is not known. The machine's clock and those of processes
     * may differ by some hundredths (seen in five seconds: up to 0.024).
     */
    public double neighbourShare() {
        return share(Math.max(0, neighbourTicks));
    }

    /** Share of processor time, 0 to 1, that was there for the taking. */
    public double idleShare() {
        return share((double) totalTicks - busyTicks - stolenTicks);
    }

    private double share(double ticks) {
        return isKnown() ? ticks / totalTicks : Double.NaN;
    }

    private static List<String> lines(String file) {
        try {
            return Files.readAllLines(Path.of("/proc", file));
        } catch (IOException e) {
            return List.of();
        }
    }
}
