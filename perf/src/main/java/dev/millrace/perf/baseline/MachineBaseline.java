package dev.millrace.perf.baseline;

import dev.millrace.perf.result.BaselineFigure;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;

/** The machine's baseline: disk and loopback network. Takes at most some ten seconds, most often four. */
public final class MachineBaseline {
    private MachineBaseline() {}

    /**
     * Measures.
     *
     * @param folder that is there, on the disk in question; nothing is left in it
     * @throws dev.millrace.core.settings.EnvironmentException when disk or network refuse
     */
    public static Map<BaselineFigure, Double> of(Path folder) {
        Map<BaselineFigure, Double> figures = new EnumMap<>(BaselineFigure.class);
        figures.putAll(DiskBaseline.of(folder));
        figures.putAll(LoopbackBaseline.measure());
        return figures;
    }
}
