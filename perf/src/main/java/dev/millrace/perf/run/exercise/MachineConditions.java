package dev.millrace.perf.run.exercise;

import dev.millrace.perf.probe.ClockOffset;
import dev.millrace.perf.probe.CreditProbe;
import dev.millrace.perf.probe.MachineUse;
import dev.millrace.perf.probe.NetworkAllowances;
import dev.millrace.perf.probe.NetworkBytes;
import dev.millrace.perf.result.Saturation;
import dev.millrace.perf.run.stage.Mark;
import dev.millrace.perf.statistics.Digits;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.DoubleSupplier;
import java.util.stream.Collectors;

/**
 * Whether the machine itself was the same at both ends of the measured phase: its clock was not set, and no credits ran out; and
 * what it had left between them. In every run, whatever the scenario has.
 */
final class MachineConditions implements Exercise {
    /** Latencies are from a time by the wall clock: when it is set, all that are on the way are wrong by that much. */
    private static final double CLOCK_STEP_MILLIS = 50;

    private static final double MEBIBYTE = 1 << 20;
    /** A bound that nothing was held against must not look as if it had been kept. */
    private static final String NOT_LOOKED_AT =
            "not looked at, as this machine does not count it: time that the hypervisor, a quota"
                    + " or other processes took, idle time, swap";

    private final boolean seesMachine;
    private final DoubleSupplier clockMillis;
    private final CreditProbe credits;
    private MachineUse useBefore = MachineUse.UNKNOWN;
    private MachineUse use = useBefore;
    private double clockBefore = Double.NaN;
    private double clockStep = Double.NaN;
    private Map<String, Long> creditsBefore = Map.of();
    private Map<String, Long> heldBack = Map.of();
    private boolean creditsKnown;
    private NetworkBytes bytesBefore = new NetworkBytes(0, 0);
    private NetworkBytes bytes = new NetworkBytes(0, 0);

    /** @param seesMachine whether network counters that are seen here are the machine's */
    MachineConditions(boolean seesMachine) {
        this(seesMachine, ClockOffset::millis, new NetworkAllowances());
    }

    /** @param clockMillis wall clock against the clock that only runs forward */
    MachineConditions(boolean seesMachine, DoubleSupplier clockMillis, CreditProbe credits) {
        this.seesMachine = seesMachine;
        this.clockMillis = clockMillis;
        this.credits = credits;
    }

    @Override
    public void measureBegins(Mark from) {
        useBefore = from.machine();
        creditsBefore = credits.heldBack();
        clockBefore = clockMillis.getAsDouble();
        bytesBefore = NetworkBytes.now();
    }

    @Override
    public void measureEnded(Mark to) {
        use = to.machine().since(useBefore);
        bytes = NetworkBytes.now().since(bytesBefore);
        clockStep = clockMillis.getAsDouble() - clockBefore;
        Map<String, Long> now = credits.heldBack();
        creditsKnown = !creditsBefore.isEmpty() && now.keySet().containsAll(creditsBefore.keySet());
        heldBack = now.entrySet().stream()
                .filter(entry -> creditsBefore.containsKey(entry.getKey())
                        && entry.getValue() > creditsBefore.get(entry.getKey()))
                .collect(Collectors.toMap(
                        Map.Entry::getKey,
                        entry -> entry.getValue() - creditsBefore.get(entry.getKey()),
                        Long::sum,
                        TreeMap::new));
    }

    @Override
    public Found found() {
        Map<String, Double> evidence = new LinkedHashMap<>();
        evidence.put("clockStepMillis", clockStep);
        evidence.put(Saturation.IDLE_SHARE, use.idleShare());
        evidence.put(
                "creditsHeldBack",
                creditsKnown
                        ? heldBack.values().stream()
                                .mapToDouble(Long::doubleValue)
                                .sum()
                        : Double.NaN);
        if (seesMachine) {
            evidence.put("loopbackMiBOfMachine", bytes.loopbackBytes() / MEBIBYTE);
            evidence.put("otherNetworkMiBOfMachine", bytes.otherBytes() / MEBIBYTE);
        }
        List<String> reasons = new ArrayList<>();
        if (Math.abs(clockStep) > CLOCK_STEP_MILLIS) {
            reasons.add(String.format(
                    Locale.ROOT,
                    "the machine's clock was set by %s ms in the measured phase; at most %.0f ms are allowed, as latencies"
                            + " begin at a time by that clock",
                    (clockStep > 0 ? "+" : "")
                            + Digits.beyond(clockStep, Math.copySign(CLOCK_STEP_MILLIS, clockStep), 0),
                    CLOCK_STEP_MILLIS));
        }
        if (!heldBack.isEmpty()) {
            reasons.add("the network held the machine back, its credits had run out: "
                    + heldBack.entrySet().stream()
                            .map(entry -> entry.getKey() + " grew by " + entry.getValue())
                            .collect(Collectors.joining(", ")));
        }
        return new Found(Map.of(), evidence, reasons, use.isKnown() ? List.of() : List.of(NOT_LOOKED_AT));
    }
}
