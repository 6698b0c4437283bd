package dev.millrace.perf.run;

import dev.millrace.connectors.api.broker.EffectiveSettings;
import dev.millrace.core.audit.AuditResult;
import dev.millrace.perf.run.exercise.MachineGate;
import dev.millrace.perf.scenario.Scenario;
import dev.millrace.perf.statistics.Digits;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** When a run counts. One gate that is not kept makes it INVALID: it is listed with the reason, and never drawn or compared. */
final class Gates {
    /** A lag that grew by less than so many seconds of load has not grown: it swings with checkpoints and fetches. */
    private static final double LAG_GROWTH_SECONDS = 1;

    private final Scenario.Checks checks;
    private final Scenario.Durability durability;
    private final double sendP99Millis;

    Gates(Scenario scenario) {
        this.checks = scenario.checks();
        this.durability = scenario.durability();
        this.sendP99Millis =
                scenario.search().map(Scenario.Search::sendP99Millis).orElse(Double.POSITIVE_INFINITY);
    }

    /** Why the run does not count, a sentence each; empty when it does. */
    List<String> reasons(Evidence evidence, AuditResult audit) {
        List<String> reasons = overload(evidence);
        gate(
                reasons,
                evidence.wasSeen(),
                "only %d looks of the measured phase saw the stack: its lag and lateness are not known",
                evidence.lags().size());
        reasons.addAll(MachineGate.reasons("", evidence.disturbance(), checks));
        gate(
                reasons,
                evidence.accepted() >= 0 && evidence.processed() >= 0,
                "the counters of generator and job could not be read at both ends of the measured phase");
        gate(reasons, evidence.measuredSends() > 0, "no send of the measured phase is in the latency log");
        gate(reasons, evidence.rowsCame(), "windows that were due in the measured phase were not in the store in time");
        gate(reasons, audit.ok(), "the audit: %s", audit.sentence());
        return reasons;
    }

    /** Why the broker is not in the class of durability that the scenario asks for; empty when it is. */
    List<String> durability(EffectiveSettings effective) {
        List<String> reasons = new ArrayList<>();
        if (durability == Scenario.Durability.MATCHED) {
            gate(
                    reasons,
                    effective.sync() != EffectiveSettings.Sync.BEFORE_ACKNOWLEDGEMENT,
                    "the broker waits for its disk before it acknowledges (%s), and with matched durability none does",
                    effective.fsync());
            gate(
                    reasons,
                    effective.sync() != EffectiveSettings.Sync.UNKNOWN,
                    "the broker does not tell whether it waits for its disk before it acknowledges (%s), and with matched"
                            + " durability none does",
                    effective.fsync());
        }
        return reasons;
    }

    /** Those of the reasons that a lower rate may take away. */
    List<String> overload(Evidence evidence) {
        List<String> reasons = new ArrayList<>();
        gate(
                reasons,
                evidence.accepted() < 0 || evidence.rateShare() >= checks.rateShare(),
                "the broker accepted %s %% of the readings that were due; it must be %s %% or more",
                Digits.beyond(evidence.rateShare() * 100, checks.rateShare() * 100, 1),
                Digits.beyond(checks.rateShare() * 100, evidence.rateShare() * 100, 1));
        gate(
                reasons,
                !(evidence.latenessMillis() > checks.latenessMillis()),
                "the generator was %s ms behind its schedule; at most %d ms are allowed: the load was not the one that"
                        + " was asked for",
                Digits.beyond(evidence.latenessMillis(), checks.latenessMillis(), 0),
                checks.latenessMillis());
        gate(
                reasons,
                evidence.lagGrowth() <= LAG_GROWTH_SECONDS * evidence.ratePerSecond(),
                "the lag grew by %.0f readings in the measured phase, more than a second of load: the job did not keep up",
                evidence.lagGrowth());
        gate(
                reasons,
                evidence.sendP99Millis() <= sendP99Millis,
                "the rate that was found is not confirmed: p99 of sends was %s ms, the objective is %s ms",
                Digits.beyond(evidence.sendP99Millis(), sendP99Millis, 0),
                Digits.beyond(sendP99Millis, evidence.sendP99Millis(), 0));
        return reasons;
    }

    private static void gate(List<String> reasons, boolean kept, String sentence, Object... said) {
        if (!kept) {
            reasons.add(String.format(Locale.ROOT, sentence, said));
        }
    }
}
