package dev.millrace.perf.comparison;

import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.UserException;
import dev.millrace.perf.baseline.MachineBaseline;
import dev.millrace.perf.result.BaselineFigure;
import dev.millrace.perf.result.Run;
import dev.millrace.perf.run.GeneratorAlone;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * What was measured of machine and generator before the first run.
 *
 * @param caveats what is not known, a sentence each
 */
public record Rig(Map<BaselineFigure, Double> baseline, List<String> caveats) {
    private static final String UNKNOWN = "It is not known whether the generator could have been the bottleneck: ";

    /** Before anything was measured. */
    static Rig unknown() {
        return new Rig(Map.of(), List.of());
    }

    /**
     * Measures; takes some fifteen seconds.
     *
     * @param folder that is there, on the disk that stacks are on
     * @param generator empty when the floor broker is not there
     */
    static Rig measure(Path folder, Optional<GeneratorAlone> generator, Consumer<String> progress) {
        Map<BaselineFigure, Double> baseline = new EnumMap<>(BaselineFigure.class);
        List<String> caveats = new ArrayList<>();
        progress.accept("the machine by itself: disk and loopback network");
        try {
            baseline.putAll(MachineBaseline.of(folder));
        } catch (EnvironmentException e) {
            caveats.add("The machine has no baseline: " + e.getMessage() + ".");
        }
        if (generator.isEmpty()) {
            caveats.add(UNKNOWN + "the scenario names no floor broker to measure it with, or its plugin is not built.");
        } else {
            progress.accept("the generator by itself, against the floor broker");
            try {
                generator
                        .get()
                        .perSecond()
                        .ifPresent(perSecond -> baseline.put(BaselineFigure.GENERATOR_ALONE, perSecond));
            } catch (EnvironmentException | UserException e) {
                caveats.add(UNKNOWN + e.getMessage() + ".");
            }
        }
        return new Rig(Collections.unmodifiableMap(baseline), List.copyOf(caveats));
    }

    /** The run with the gate on the generator. */
    Run judge(Run run) {
        return GeneratorAlone.judge(run, generatorAlone());
    }

    /** The greatest rate of a run that keeps that gate, readings per second; empty when it is not known. */
    OptionalLong most() {
        OptionalDouble alone = generatorAlone();
        return alone.isPresent()
                ? OptionalLong.of((long) (alone.getAsDouble() / GeneratorAlone.FACTOR))
                : OptionalLong.empty();
    }

    private OptionalDouble generatorAlone() {
        Double alone = baseline.get(BaselineFigure.GENERATOR_ALONE);
        return alone == null ? OptionalDouble.empty() : OptionalDouble.of(alone);
    }
}
