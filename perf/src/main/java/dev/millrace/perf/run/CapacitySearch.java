package dev.millrace.perf.run;

import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.deploy.local.StackState;
import dev.millrace.deploy.look.GeneratorClient;
import dev.millrace.perf.probe.MetricsPage;
import dev.millrace.perf.run.exercise.MachineGate;
import dev.millrace.perf.run.stage.Interruption;
import dev.millrace.perf.run.stage.Mark;
import dev.millrace.perf.run.stage.Processes;
import dev.millrace.perf.run.stage.SendLatency;
import dev.millrace.perf.run.stage.Stage;
import dev.millrace.perf.scenario.Scenario;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.Random;
import java.util.function.Consumer;

/**
 * Finds the greatest rate at which a running stack keeps the objective: the broker takes the share of the rate that the checks
 * ask for, sends are acknowledged in time, and the job keeps up. Steps of a bisection find where to measure: what a stack takes for
 * seconds out of its buffers it need not take for longer. The measured phase is the judge, and while it misses the objective the
 * rate goes down. Before each candidate the stack gets rid of what the last one left behind, at the rate of the start. What was missed
 * while the machine had neighbours says nothing of the stack, and is tried again.
 */
final class CapacitySearch {
    private static final int TRIALS = 2;
    /** In a search as a whole; a machine that is somebody else's for so long has no capacity to be found. */
    private static final int DISTURBED_TRIALS_MAX = 6;

    private static final Duration RECOVERY_BOUND = Duration.ofSeconds(120);
    private static final long LOOK_NANOS = 500_000_000L;
    private static final double PERCENTILE = 99;

    private final RunDirectory directory;
    private final Processes processes;
    private final Scenario.Checks checks;
    private final Scenario.Search search;
    /** Which run this is: another one tries other rates. */
    private final String run;

    private final long start;
    private final long most;
    private final Interruption interruption;
    private final Consumer<String> progress;
    private final MetricsPage metrics;
    private long found;
    private int disturbed;

    /**
     * @param start readings per second, at which the stack runs
     * @param most readings per second that the rig can make, if that is less than the scenario's most
     */
    CapacitySearch(Stage stage, Scenario.Search search, long start, OptionalLong most) {
        this.directory = stage.directory();
        this.metrics = new MetricsPage(directory);
        this.processes = stage.processes();
        this.checks = stage.scenario().checks();
        this.search = search;
        this.run = stage.id();
        this.start = start;
        this.most = Math.max(start, Math.min(search.most(), most.orElse(Long.MAX_VALUE)));
        this.interruption = stage.interruption();
        this.progress = stage.progress();
    }

    /** Readings per second; the stack runs at that rate, without arrears. Throws EnvironmentException when there is none. */
    long find() {
        Bisection bisection = new Bisection(start, most, search.precision(), new Random(run.hashCode()));
        for (OptionalLong rate = bisection.candidate(); rate.isPresent(); rate = bisection.candidate()) {
            boolean kept = isKeptInOneOf(TRIALS, rate.getAsLong());
            bisection.tried(kept);
        }
        found = bisection.kept();
        if (found == 0) {
            throw new EnvironmentException("no rate was found that keeps the objective of the search");
        }
        generator().rate(found);
        return found;
    }

    /**
     * A precision below a rate that missed the objective while it was measured; the stack runs at that, without arrears.
     *
     * @return empty below half of what was found: the steps of the search then say nothing of the rate
     */
    OptionalLong below(long missed) {
        long rate = (long) (missed / (1 + search.precision()));
        if (rate < Math.max(1, found / 2)) {
            return OptionalLong.empty();
        }
        again(rate);
        return OptionalLong.of(rate);
    }

    /** Whether it tries no rate above this one: the capacity may be. */
    boolean isMost(long rate) {
        return rate == most;
    }

    /** The stack runs at that rate, without arrears. */
    void again(long rate) {
        recover();
        generator().rate(rate);
    }

    /** One bad moment of the machine must not halve what is found. */
    private boolean isKeptInOneOf(int trials, long rate) {
        int missed = 0;
        while (missed < trials) {
            Outcome outcome = trial(rate);
            recover();
            if (outcome == Outcome.KEPT) {
                return true;
            }
            if (outcome == Outcome.MISSED) {
                missed++;
            } else if (++disturbed > DISTURBED_TRIALS_MAX) {
                throw new EnvironmentException("the search was disturbed " + disturbed
                        + " times: what the stack can take is not to be seen on this machine now");
            }
        }
        return false;
    }

    private enum Outcome {
        KEPT,
        MISSED,
        /** Missed while the machine was not the stack's own. */
        DISTURBED
    }

    private Outcome trial(long rate) {
        generator().rate(rate);
        Mark from = mark();
        interruption.pause(search.step().toNanos());
        Mark to = mark();
        interruption.pause(SendLatency.LOG_NANOS);
        double seconds = (to.nanos() - from.nanos()) / 1e9;
        if (from.lag().isEmpty() || to.lag().isEmpty()) {
            // Of what is overloaded a counter may not answer: that is no sign that it keeps up.
            progress.accept(
                    String.format(Locale.ROOT, "search, %,d readings/s: not kept (a counter did not answer)", rate));
            return Outcome.MISSED;
        }
        double share = (to.accepted().getAsDouble() - from.accepted().getAsDouble()) / (rate * seconds);
        double growth = to.lag().getAsDouble() - from.lag().getAsDouble();
        double p99 = SendLatency.read(directory.latencyLog(), from.millis(), to.millis())
                .millis(PERCENTILE);
        boolean kept = share >= checks.rateShare() && growth <= rate && p99 <= search.sendP99Millis();
        List<String> disturbances = kept ? List.of() : MachineGate.reasons(from, to, checks);
        progress.accept(String.format(
                Locale.ROOT,
                "search, %,d readings/s: %s (accepted %.1f %%, p99 %.0f ms, lag grew by %,.0f)",
                rate,
                kept ? "kept" : disturbances.isEmpty() ? "not kept" : "again, as " + String.join("; ", disturbances),
                share * 100,
                p99,
                Math.max(0, growth)));
        return kept ? Outcome.KEPT : disturbances.isEmpty() ? Outcome.MISSED : Outcome.DISTURBED;
    }

    /** Until generator and job have no arrears. */
    private void recover() {
        generator().rate(start);
        long deadline = System.nanoTime() + RECOVERY_BOUND.toNanos();
        while (true) {
            boolean sent = Mark.generator(directory.presentState())
                    .filter(said -> said.latenessMillis() == 0)
                    .isPresent();
            if (sent && mark().lag().orElse(Double.MAX_VALUE) <= start) {
                return;
            }
            if (System.nanoTime() > deadline) {
                throw new EnvironmentException(
                        "the stack did not get rid of what a rate above its capacity had left within "
                                + RECOVERY_BOUND.toSeconds() + " s");
            }
            interruption.pause(LOOK_NANOS);
        }
    }

    private Mark mark() {
        return Mark.of(directory.presentState(), metrics, processes);
    }

    private GeneratorClient generator() {
        return new GeneratorClient(
                directory.presentState().part(StackState.GENERATOR).url());
    }
}
