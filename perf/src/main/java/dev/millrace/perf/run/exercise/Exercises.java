package dev.millrace.perf.run.exercise;

import dev.millrace.perf.result.Run;
import dev.millrace.perf.run.stage.Mark;
import dev.millrace.perf.run.stage.Stage;
import java.util.ArrayList;
import java.util.List;

/** What the sections of a scenario add to one run, in the order in which the sections are described in its schema. */
public final class Exercises implements AutoCloseable {
    private final List<Exercise> exercises;

    private Exercises(List<Exercise> exercises) {
        this.exercises = exercises;
    }

    public static Exercises of(Stage stage) {
        List<Exercise> exercises = new ArrayList<>();
        // First: what follows may take minutes, and is not of the measured phase.
        exercises.add(new MachineConditions(stage.processes().seeMachine()));
        exercises.add(new RestartWatch(stage.directory(), stage.processes()));
        exercises.add(new ClockWatch(stage.processes()));
        exercises.add(new CollectorWatch(stage.directory()));
        stage.scenario().backlog().ifPresent(backlog -> exercises.add(new BacklogDrain(stage, backlog)));
        stage.scenario().trend().ifPresent(trend -> exercises.add(new TrendWatch(stage, trend)));
        stage.scenario().fanOut().ifPresent(settings -> exercises.add(new FanOut(stage, settings)));
        stage.scenario().burst().ifPresent(burst -> exercises.add(new BurstExercise(stage, burst)));
        return new Exercises(exercises);
    }

    public void warmUpBegins() {
        exercises.forEach(Exercise::warmUpBegins);
    }

    public void measureBegins(Mark from) {
        exercises.forEach(exercise -> exercise.measureBegins(from));
    }

    public void measureEnded(Mark to) {
        exercises.forEach(exercise -> exercise.measureEnded(to));
    }

    public Run addTo(Run run) {
        Run all = run;
        for (Exercise exercise : exercises) {
            Exercise.Found found = exercise.found();
            all = all.with(found.figures(), found.evidence(), found.reasons(), found.remarks());
        }
        return all;
    }

    @Override
    public void close() {
        exercises.forEach(Exercise::close);
    }
}
