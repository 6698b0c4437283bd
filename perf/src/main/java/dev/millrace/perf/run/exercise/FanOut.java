package dev.millrace.perf.run.exercise;

import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.core.reading.Position;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.Options;
import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.local.StackSettings;
import dev.millrace.deploy.local.StackState;
import dev.millrace.perf.fanout.Look;
import dev.millrace.perf.fanout.WorkerProcess;
import dev.millrace.perf.probe.Disturbance;
import dev.millrace.perf.probe.MachineUse;
import dev.millrace.perf.probe.MetricsPage;
import dev.millrace.perf.probe.ProcessUse;
import dev.millrace.perf.run.stage.Mark;
import dev.millrace.perf.run.stage.Phases;
import dev.millrace.perf.run.stage.Stage;
import dev.millrace.perf.scenario.Scenario;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Lets reader groups read the stack's topic beside the job, behind the measured phase and under the same load, in one arrangement
 * after the other. Groups and copier are processes of their own, whose CPU is counted beside the broker's.
 */
final class FanOut implements Exercise {
    /** How long groups may take for what is left when an arrangement ends. */
    private static final Duration CATCH_UP_BOUND = Duration.ofSeconds(60);

    private static final long LOOK_NANOS = 1_000_000_000L;
    /** Who gets most readings within this time reads what is new. */
    private static final long LIVE_MICROS = 1_000_000;

    private static final String COPIER = "copier";

    private final Stage stage;
    private final Scenario.FanOut settings;
    private final MetricsPage metrics;
    private final FanOutMade made;
    private final List<FanOutStep> steps = new ArrayList<>();
    private @Nullable Mark measureBegan;
    private @Nullable Mark measureEnded;
    private @Nullable WorkerProcess readers;
    private @Nullable WorkerProcess copier;

    FanOut(Stage stage, Scenario.FanOut settings) {
        this.stage = stage;
        this.metrics = new MetricsPage(stage.directory());
        this.settings = settings;
        this.made = new FanOutMade(stage.directory(), stage.settings());
    }

    @Override
    public void measureBegins(Mark from) {
        measureBegan = from;
    }

    @Override
    public void measureEnded(Mark to) {
        measureEnded = to;
        readers = WorkerProcess.start(
                stage.installation(), stage.directory().benchmarkFolder().resolve("readers"));
        try (BrokerClient client = connect()) {
            for (FanOutArrangement arrangement : FanOutArrangement.values()) {
                String title = arrangement.title(settings.groups());
                stage.progress().accept("fan-out, " + title);
                stage.phases().begin("fan-out: " + arrangement.key());
                FanOutStep step = step(client, arrangement);
                steps.add(step);
                stage.progress()
                        .accept(String.format(
                                Locale.ROOT,
                                "fan-out, %s: %,.0f readings/s delivered, lag of %,.0f at the end",
                                title,
                                step.deliveredPerSecond(),
                                step.lag()));
            }
        }
        stage.phases().begin(Phases.SETTLE);
    }

    private StackState state() {
        return stage.directory().presentState();
    }

    private BrokerClient connect() {
        return stage.installation().load(stage.settings().broker()).connect(brokerOptions());
    }

    private Options brokerOptions() {
        return state().brokerOptions();
    }

    private FanOutStep step(BrokerClient client, FanOutArrangement arrangement) {
        String topic = stage.settings().topic();
        List<String> topics = arrangement.copies()
                ? IntStream.range(0, settings.groups()).mapToObj(made::copy).toList()
                : Collections.nCopies(settings.groups(), topic);
        if (arrangement.copies()) {
            topics.forEach(copy -> made.make(client, copy));
        }
        Map<Integer, Position> from = client.endPositions(topic);
        List<WorkerProcess.Group> groups = groups(arrangement, topics, from);
        String broker = stage.settings().broker();
        WorkerProcess reading = readers;
        reading.groups(broker, brokerOptions(), groups, arrangement.waits());
        if (arrangement.copies()) {
            copier = WorkerProcess.start(
                    stage.installation(), stage.directory().benchmarkFolder().resolve("copier"));
            copier.copies(broker, brokerOptions(), topic, made.group(topic, COPIER), from, topics);
        }
        stage.interruption().pause(stage.scenario().warmUp().toNanos());
        awaitLive(reading, arrangement);
        if (steps.isEmpty() || arrangement.copies()) {
            // The arrangements are held against each other: in the first one the readers' code is still compiled, in
            // that of copies the copier's.
            stage.interruption().pause(settings.step().toNanos());
        }
        Moment begin = Moment.of(this, reading);
        stage.interruption().pause(settings.step().toNanos());
        Moment end = Moment.of(this, reading);
        List<Long> lags = groups.stream()
                .map(group -> client.lag(group.topic(), group.name()))
                .toList();
        List<String> reasons = end(client, arrangement, groups, from);
        made.remove(client);
        return figures(arrangement, begin, end, lags, reasons);
    }

    /**
     * New readers begin with what came while they and the copier were started. They are measured when they have caught up, or when
     * they have not within the bound: then that is what is found.
     */
    private void awaitLive(WorkerProcess reading, FanOutArrangement arrangement) {
        int fast = settings.groups() - (arrangement.hasSlowGroup() ? 1 : 0);
        long deadline = System.nanoTime() + CATCH_UP_BOUND.toNanos();
        boolean live = false;
        for (Look before = reading.look(); !live && System.nanoTime() < deadline; ) {
            stage.interruption().pause(LOOK_NANOS);
            Look now = reading.look();
            live = true;
            for (int i = 0; i < fast; i++) {
                boolean came =
                        now.parts().get(i).readings() > before.parts().get(i).readings();
                live &= came && now.parts().get(i).p50Micros() < LIVE_MICROS;
            }
            before = now;
        }
    }

    private List<WorkerProcess.Group> groups(
            FanOutArrangement arrangement, List<String> topics, Map<Integer, Position> from) {
        long slowRate = Math.max(1, Math.round(stage.settings().rateReadingsPerSecond() * settings.slowGroupShare()));
        List<WorkerProcess.Group> groups = new ArrayList<>();
        for (int i = 0; i < topics.size(); i++) {
            boolean slow = arrangement.hasSlowGroup() && i == topics.size() - 1;
            groups.add(new WorkerProcess.Group(
                    topics.get(i),
                    made.group(topics.get(i), arrangement.key() + "-" + i),
                    arrangement.copies() ? Map.of() : from,
                    slow ? slowRate : 0));
        }
        return groups;
    }

    /** Ends the arrangement when every group has what it is to have; why it does not count. */
    private List<String> end(
            BrokerClient client,
            FanOutArrangement arrangement,
            List<WorkerProcess.Group> groups,
            Map<Integer, Position> from) {
        Map<Integer, Position> ends = client.endPositions(stage.settings().topic());
        Optional<Look.Part> copied = Optional.empty();
        if (arrangement.copies()) {
            copied = Optional.of(copier.end(List.of(Optional.of(ends)), CATCH_UP_BOUND)
                    .parts()
                    .get(0));
            copier.close();
        }
        List<Optional<Map<Integer, Position>>> until = new ArrayList<>();
        for (WorkerProcess.Group group : groups) {
            Map<Integer, Position> own = arrangement.copies() ? client.endPositions(group.topic()) : ends;
            until.add(group.ratePerSecond() > 0 ? Optional.empty() : Optional.of(own));
        }
        Look last = readers.end(until, CATCH_UP_BOUND);
        return new FanOutCheck(arrangement.title(settings.groups()), from, ends)
                .reasons(last.parts(), arrangement.hasSlowGroup(), copied);
    }

    private FanOutStep figures(
            FanOutArrangement arrangement, Moment begin, Moment end, List<Long> lags, List<String> reasons) {
        List<FanOutStep.Group> groups = new ArrayList<>();
        for (int i = 0; i < lags.size(); i++) {
            Look.Part before = begin.look().parts().get(i);
            Look.Part after = end.look().parts().get(i);
            groups.add(new FanOutStep.Group(
                    after.readings() - before.readings(),
                    lags.get(i),
                    after.p50Micros() / 1e3,
                    after.p99Micros() / 1e3,
                    after.commits(),
                    after.commitP50Micros() / 1e3));
        }
        ProcessUse before = begin.mark().processes().get(StackState.BROKER);
        ProcessUse after = end.mark().processes().get(StackState.BROKER);
        boolean known = before != null && after != null;
        MachineUse machine = end.mark().machine().since(begin.mark().machine());
        reasons.addAll(MachineGate.reasons(
                "with " + arrangement.title(settings.groups()) + " ",
                Disturbance.of(machine),
                stage.scenario().checks()));
        reasons.addAll(RestartWatch.reasons(
                "with " + arrangement.title(settings.groups()) + " ", end.restarts() - begin.restarts()));
        boolean counted =
                begin.mark().accepted().isPresent() && end.mark().accepted().isPresent();
        return new FanOutStep(
                arrangement,
                (end.look().nanos() - begin.look().nanos()) / 1e9,
                counted
                        ? end.mark().accepted().getAsDouble()
                                - begin.mark().accepted().getAsDouble()
                        : Double.NaN,
                Long.parseLong(stage.settings().text("payload-bytes")),
                groups,
                known ? seconds(before.cpu(), after.cpu()) : Double.NaN,
                end.readers() - begin.readers(),
                end.copier() - begin.copier(),
                known ? after.writtenBytes() - before.writtenBytes() : Double.NaN,
                end.storedBytes() - begin.storedBytes(),
                machine.idleShare(),
                reasons);
    }

    private static double seconds(Duration before, Duration after) {
        return after.minus(before).toNanos() / 1e9;
    }

    /** Counters of stack, groups and copier, read one after the other within some milliseconds. */
    private record Moment(Mark mark, double readers, double copier, double storedBytes, long restarts, Look look) {
        static Moment of(FanOut fanOut, WorkerProcess reading) {
            double stored = StateWatch.brokerBytes(fanOut.stage.directory(), fanOut.state());
            Mark mark = Mark.of(fanOut.state(), fanOut.metrics, fanOut.stage.processes());
            WorkerProcess copying = fanOut.copier;
            return new Moment(
                    mark,
                    cpuSeconds(reading.pid()),
                    copying == null ? 0 : cpuSeconds(copying.pid()),
                    stored,
                    fanOut.stage.processes().restarts(fanOut.state()),
                    reading.look());
        }
    }

    /** NaN when there is no such process, or its time is not told. */
    static double cpuSeconds(long pid) {
        return ProcessUse.of(pid).map(use -> use.cpu().toNanos() / 1e9).orElse(Double.NaN);
    }

    @Override
    public Found found() {
        StackSettings load = stage.settings();
        double wanted = load.isSteady() ? load.rateReadingsPerSecond() * load.acceleration() : Double.NaN;
        return new FanOutFindings(
                        settings, wanted, stage.scenario().checks().rateShare(), measureBegan, measureEnded, steps)
                .found();
    }

    @Override
    public void close() {
        for (WorkerProcess one : new WorkerProcess[] {readers, copier}) {
            if (one != null) {
                one.close();
            }
        }
        if (stage.settings().isForeignBroker() && !made.isEmpty()) {
            removeMade();
        }
    }

    /** What is left of an arrangement that was cut short: it would outlive the run. */
    private void removeMade() {
        try (BrokerClient client = connect()) {
            made.remove(client);
        } catch (EnvironmentException | UserException e) {
            // Why the arrangement was cut short is said, and must not be lost for this.
            stage.progress()
                    .accept("what the fan-out has made on your broker could not all be removed: " + e.getMessage());
        }
    }
}
