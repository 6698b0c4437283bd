package dev.millrace.perf.run.exercise;

import dev.millrace.connectors.api.local.CollectorLog;
import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.deploy.local.StackState;
import dev.millrace.perf.probe.CollectorPauses;
import dev.millrace.perf.result.Figure;
import dev.millrace.perf.run.stage.Mark;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** How long the stack's processes stood still for their garbage collectors in the measured phase. In every run. */
final class CollectorWatch implements Exercise {
    private final RunDirectory directory;
    private long fromMillis;
    private final Map<String, CollectorPauses> pauses = new LinkedHashMap<>();
    private double seconds;

    CollectorWatch(RunDirectory directory) {
        this.directory = directory;
    }

    @Override
    public void measureBegins(Mark from) {
        fromMillis = from.millis();
        pauses.clear();
    }

    @Override
    public void measureEnded(Mark to) {
        seconds = (to.millis() - fromMillis) / 1e3;
        directory.presentState().parts().forEach((name, part) -> {
            if (!part.log().isEmpty()) {
                CollectorPauses.between(CollectorLog.beside(Path.of(part.log())), fromMillis, to.millis())
                        .ifPresent(found -> pauses.put(name, found));
            }
        });
    }

    @Override
    public Found found() {
        Map<Figure, Double> figures = new EnumMap<>(Figure.class);
        perSecond(figures, Figure.COLLECTOR_BROKER, StackState.BROKER);
        perSecond(figures, Figure.COLLECTOR_JOB, StackState.TASK_MANAGER);
        Map<String, Double> evidence = new LinkedHashMap<>();
        pauses.forEach((part, found) -> evidence.put("longestCollectorPauseMillis of " + part, found.longestMillis()));
        return new Found(figures, evidence, List.of(), List.of());
    }

    private void perSecond(Map<Figure, Double> figures, Figure figure, String part) {
        CollectorPauses found = pauses.get(part);
        if (found != null && seconds > 0) {
            figures.put(figure, found.totalMillis() / seconds);
        }
    }
}
