package dev.millrace.perf.run.exercise;

import dev.millrace.deploy.local.StackState;
import dev.millrace.perf.probe.ProcessUse;
import dev.millrace.perf.result.Figure;
import dev.millrace.perf.result.Saturation;
import dev.millrace.perf.run.stage.Mark;
import dev.millrace.perf.scenario.Scenario;
import dev.millrace.perf.statistics.Digits;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** What follows from the arrangements of a fan-out: figures, numbers by name, and a sentence for each arrangement. */
final class FanOutFindings {
    /** A shortfall of less than so many seconds of load is none: readings come in batches. */
    private static final double SHORTFALL_SECONDS = 1;

    private final Scenario.FanOut settings;
    private final double wantedPerSecond;
    private final double rateShare;
    private final Mark from;
    private final Mark to;
    private final Map<FanOutArrangement, FanOutStep> steps = new EnumMap<>(FanOutArrangement.class);

    /**
     * @param wantedPerSecond readings that were due in a second; NaN or infinite when no one rate was asked for
     * @param rateShare what the broker must take of them, 0 to 1
     * @param from begin of the measured phase, in which the job alone read
     */
    FanOutFindings(
            Scenario.FanOut settings,
            double wantedPerSecond,
            double rateShare,
            Mark from,
            Mark to,
            List<FanOutStep> steps) {
        this.settings = settings;
        this.wantedPerSecond = wantedPerSecond;
        this.rateShare = rateShare;
        this.from = from;
        this.to = to;
        steps.forEach(step -> this.steps.put(step.arrangement(), step));
    }

    Exercise.Found found() {
        Map<String, Double> evidence = new LinkedHashMap<>();
        List<String> reasons = new ArrayList<>();
        List<String> remarks = new ArrayList<>();
        before().ifPresent(remarks::add);
        steps.values().forEach(step -> {
            evidence(step, evidence);
            reasons.addAll(step.reasons());
            load(step).ifPresent(reasons::add);
            behind(step).ifPresent(reasons::add);
            remarks.add(sentence(step));
        });
        return new Exercise.Found(figures(), evidence, reasons, remarks);
    }

    private Map<Figure, Double> figures() {
        Map<Figure, Double> figures = new EnumMap<>(Figure.class);
        FanOutStep groups = steps.get(FanOutArrangement.GROUPS);
        if (groups != null) {
            put(figures, Figure.FAN_OUT_RATE, groups.deliveredPerSecond());
            put(figures, Figure.FAN_OUT_CPU, groups.cpuPerMillion());
        }
        FanOutStep copies = steps.get(FanOutArrangement.COPIES);
        if (copies != null) {
            put(figures, Figure.FAN_OUT_COPIES_CPU, copies.cpuPerMillion());
            put(figures, Figure.FAN_OUT_COPIES_WRITTEN, copies.writtenPerPayloadByte());
        }
        return figures;
    }

    private static void put(Map<Figure, Double> figures, Figure figure, double value) {
        if (Double.isFinite(value)) {
            figures.put(figure, value);
        }
    }

    private static void evidence(FanOutStep step, Map<String, Double> evidence) {
        String prefix = "fanOut." + step.arrangement().key() + ".";
        evidence.put(prefix + "acceptedPerSecond", step.acceptedPerSecond());
        evidence.put(prefix + "deliveredPerSecond", step.deliveredPerSecond());
        evidence.put(prefix + "leastGroupPerSecond", step.leastPerSecond());
        evidence.put(prefix + "p99Millis", step.p99Millis());
        evidence.put(prefix + "lagReadings", step.lag());
        if (step.arrangement().hasSlowGroup()) {
            evidence.put(prefix + "slowGroupPerSecond", step.slow().readings() / step.seconds());
            evidence.put(prefix + "slowGroupLagReadings", (double) step.slow().lag());
        }
        evidence.put(prefix + "commitsPerSecond", step.commitsPerSecond());
        evidence.put(prefix + "commitP50Millis", step.commitP50Millis());
        evidence.put(prefix + "brokerCpuSecondsPerMillionDelivered", step.brokerCpuPerMillion());
        evidence.put(prefix + "readerCpuSecondsPerMillionDelivered", step.readerCpuPerMillion());
        evidence.put(prefix + "copierCpuSecondsPerMillionDelivered", step.copierCpuPerMillion());
        evidence.put(prefix + "writtenPerPayloadByte", step.writtenPerPayloadByte());
        evidence.put(prefix + "storedPerPayloadByte", step.storedPerPayloadByte());
        evidence.put(prefix + Saturation.IDLE_SHARE, step.idleShare());
    }

    /** Why the run does not count, when its figures are of another load than the one that was asked for. */
    private Optional<String> load(FanOutStep step) {
        String title = "fan-out, " + step.arrangement().title(settings.groups()) + ": ";
        if (Double.isNaN(step.accepted())) {
            return Optional.of(
                    title + "how many readings the broker accepted is not known, so nor is whether each group"
                            + " got its share");
        }
        double share = step.acceptedPerSecond() / wantedPerSecond;
        return Double.isFinite(wantedPerSecond) && share < rateShare
                ? Optional.of(String.format(
                        Locale.ROOT,
                        "%sthe broker accepted %s %% of the readings that were due; it must be %s %% or more",
                        title,
                        Digits.beyond(share * 100, rateShare * 100, 1),
                        Digits.beyond(rateShare * 100, share * 100, 1)))
                : Optional.empty();
    }

    /** Why the run does not count, when a group that may read everything did not: those that are behind take larger batches. */
    private Optional<String> behind(FanOutStep step) {
        double shortfall = (step.acceptedPerSecond() - step.leastPerSecond()) * step.seconds();
        double allowed = settings.slowedShare() * step.accepted() + SHORTFALL_SECONDS * step.acceptedPerSecond();
        return shortfall > allowed
                ? Optional.of(String.format(
                        Locale.ROOT,
                        "fan-out, %s: a group that may read everything got %,.0f of %,.0f readings/s; it may miss %.1f %% and"
                                + " a second of load",
                        step.arrangement().title(settings.groups()),
                        step.leastPerSecond(),
                        step.acceptedPerSecond(),
                        settings.slowedShare() * 100))
                : Optional.empty();
    }

    /** What the job alone took, for comparison. */
    private Optional<String> before() {
        ProcessUse began = from.processes().get(StackState.BROKER);
        ProcessUse ended = to.processes().get(StackState.BROKER);
        if (began == null
                || ended == null
                || from.accepted().isEmpty()
                || to.accepted().isEmpty()) {
            return Optional.empty();
        }
        double accepted = to.accepted().getAsDouble() - from.accepted().getAsDouble();
        double cpu = ended.cpu().minus(began.cpu()).toNanos() / 1e9;
        double seconds = (to.nanos() - from.nanos()) / 1e9;
        return Optional.of(String.format(
                Locale.ROOT,
                "fan-out, before it (the job alone reads): %,.0f readings/s accepted; the broker used %.2f cores.",
                accepted / seconds,
                cpu / seconds));
    }

    private String sentence(FanOutStep step) {
        List<String> said = new ArrayList<>();
        boolean slow = step.arrangement().hasSlowGroup();
        add(
                said,
                "fan-out, %s: of %s readings/s each group%s got at least %,.0f/s, all together %,.0f/s.",
                step.arrangement().title(settings.groups()),
                known("%,.0f", step.acceptedPerSecond(), "an unknown number of"),
                slow ? " but the slow one" : "",
                step.leastPerSecond(),
                step.deliveredPerSecond());
        if (slow) {
            add(
                    said,
                    "The slow one got %,.0f/s and was %,d readings behind.",
                    step.slow().readings() / step.seconds(),
                    step.slow().lag());
        }
        add(
                said,
                "From the intended send time to a group it took %,.0f ms (p99); %,.0f readings were not confirmed at the end.",
                step.p99Millis(),
                step.lag());
        add(
                said,
                "CPU per million delivered: broker %s, readers %s%s.",
                known("%.2f s", step.brokerCpuPerMillion()),
                known("%.2f s", step.readerCpuPerMillion()),
                step.arrangement().copies() ? ", copier " + known("%.2f s", step.copierCpuPerMillion()) : "");
        broker(step, said);
        add(
                said,
                "%,.0f commits/s; one kept its group %.2f ms (p50).",
                step.commitsPerSecond(),
                step.commitP50Millis());
        return String.join(" ", said);
    }

    /** A person's own broker has no process and no folder here. */
    private static void broker(FanOutStep step, List<String> said) {
        double cores = step.brokerCpuSeconds() / step.seconds();
        double written = step.writtenPerPayloadByte();
        double stored = step.storedPerPayloadByte();
        if (Double.isFinite(cores)) {
            add(said, "The broker used %.2f cores.", cores);
        }
        if (Double.isFinite(written) && Double.isFinite(stored)) {
            add(said, "Per payload byte it wrote %.2f bytes, and its data grew by %.2f.", written, stored);
        } else {
            add(
                    said,
                    "Bytes that it wrote per payload byte: %s; by which its data grew: %s.",
                    known("%.2f", written),
                    known("%.2f", stored));
        }
    }

    private static String known(String format, double value) {
        return known(format, value, "not known");
    }

    private static String known(String format, double value, String otherwise) {
        return Double.isFinite(value) ? String.format(Locale.ROOT, format, value) : otherwise;
    }

    private static void add(List<String> said, String sentence, Object... words) {
        said.add(String.format(Locale.ROOT, sentence, words));
    }
}
