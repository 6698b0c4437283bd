package dev.millrace.perf.probe;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What the machine has counted since it started (proc(5): stat, vmstat); all 0 where there is no {@code /proc}.
 *
 * @param totalTicks of all processors, in whatever state
 * @param stolenTicks that the hypervisor gave to others
 * @param busyTicks in which something ran
 * @param swappedPages in and out
 */
public record MachineUse(long totalTicks, long stolenTicks, long busyTicks, long swappedPages) {
    private static final int IDLE = 3;
    private static final int WAITS = 4;
    private static final int STEAL = 7;
    /** What follows is time of guests, which is in the first two already. */
    private static final int COLUMNS = 8;

    public static MachineUse now() {
        return parse(lines("stat"), lines("vmstat"));
    }

    static MachineUse parse(List<String> stat, List<String> vmstat) {
        long total = 0;
        long stolen = 0;
        long busy = 0;
        if (!stat.isEmpty()) {
            String[] columns = stat.get(0).strip().split("\\s+");
            for (int i = 0; i < COLUMNS && i + 1 < columns.length; i++) {
                long ticks = Long.parseLong(columns[i + 1]);
                total += ticks;
                stolen += i == STEAL ? ticks : 0;
                busy += i == IDLE || i == WAITS || i == STEAL ? 0 : ticks;
            }
        }
        long swapped = vmstat.stream()
                .filter(line -> line.startsWith("pswpin ") || line.startsWith("pswpout "))
                .mapToLong(line -> Long.parseLong(line.split(" ")[1]))
                .sum();
        return new MachineUse(total, stolen, busy, swapped);
    }

    /** What was counted between {@code before} and this. */
    public MachineUse since(MachineUse before) {
        return new MachineUse(
                totalTicks - before.totalTicks,
                stolenTicks - before.stolenTicks,
                busyTicks - before.busyTicks,
                swappedPages - before.swappedPages);
    }

    /** Share of processor time, 0 to 1. */
    public double stolenShare() {
        return totalTicks == 0 ? 0 : (double) stolenTicks / totalTicks;
    }

    /** Share of processor time, 0 to 1. */
    public double busyShare() {
        return totalTicks == 0 ? 0 : (double) busyTicks / totalTicks;
    }

    /** Share of processor time, 0 to 1, that was there for the taking; NaN when nothing was counted. */
    public double idleShare() {
        return totalTicks == 0 ? Double.NaN : (double) (totalTicks - busyTicks - stolenTicks) / totalTicks;
    }

    private static List<String> lines(String file) {
        try {
            return Files.readAllLines(Path.of("/proc", file));
        } catch (IOException e) {
            return List.of();
        }
    }
}
