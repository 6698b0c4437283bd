package dev.millrace.perf.run.stage;

import dev.millrace.deploy.local.Installation;
import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.deploy.local.StackSettings;
import dev.millrace.perf.scenario.Scenario;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * A stack that is up, and what a run has to work on it.
 *
 * @param id begins the names of the run's files
 * @param results where they are kept
 * @param processes how those of the stack are looked at
 * @param sampler looks at the stack once a second
 * @param phases is told when another begins
 */
public record Stage(
        String id,
        Installation installation,
        RunDirectory directory,
        StackSettings settings,
        Scenario scenario,
        Path results,
        Processes processes,
        Sampler sampler,
        Phases phases,
        Interruption interruption,
        Consumer<String> progress) {}
