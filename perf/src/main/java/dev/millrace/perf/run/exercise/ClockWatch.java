package dev.millrace.perf.run.exercise;

import dev.millrace.perf.probe.ClockDistance;
import dev.millrace.perf.result.ClockPair;
import dev.millrace.perf.run.stage.Mark;
import dev.millrace.perf.run.stage.Processes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** How far the clocks of a stack's machines are apart, at both ends of the measured phase; in every run whose stack has several. */
final class ClockWatch implements Exercise {
    private final Processes processes;
    private List<ClockDistance> begun = List.of();
    private List<ClockDistance> ended = List.of();

    ClockWatch(Processes processes) {
        this.processes = processes;
    }

    @Override
    public void measureBegins(Mark from) {
        begun = processes.clocks();
    }

    @Override
    public void measureEnded(Mark to) {
        ended = processes.clocks();
    }

    /** Both looks at a pair in one: the offset was somewhere in what they say together. */
    @Override
    public Found found() {
        Map<String, ClockDistance> pairs = new LinkedHashMap<>();
        for (List<ClockDistance> looks : List.of(begun, ended)) {
            looks.forEach(look -> pairs.merge(look.from() + " to " + look.to(), look, ClockDistance::or));
        }
        Map<String, Double> evidence = new LinkedHashMap<>();
        pairs.forEach((nodes, distance) -> evidence.putAll(
                new ClockPair(nodes, distance.offsetMillis(), distance.uncertaintyMillis()).evidence()));
        return new Found(Map.of(), evidence, List.of(), List.of());
    }
}
