package dev.millrace.deploy.look;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.connectors.api.local.ServerProcess;
import dev.millrace.deploy.local.RunDirectory;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a benchmark does with a stack: left in the stack's run directory, at each change of phase, by the process that measures,
 * for {@link StackLook}. It goes with the data at the end of the run, and counts for nothing when that process is gone.
 *
 * @param run which of all runs, from 1
 * @param subject what is measured
 * @param phaseEnds null when it is not known
 * @param ends when all runs are expected to be made; null when it is not known
 */
public record BenchmarkNote(
        int run,
        int runs,
        String subject,
        String phase,
        Instant phaseBegan,
        @Nullable Instant phaseEnds,
        @Nullable Instant ends) {

    /** Replaces the note of the phase before; to be called by the process that measures. */
    public void leaveIn(RunDirectory directory) {
        Map<String, String> values = new TreeMap<>(Map.of(
                "run", Integer.toString(run),
                "runs", Integer.toString(runs),
                "subject", subject,
                "phase", phase,
                "phase-began", phaseBegan.toString(),
                "pid", Long.toString(ProcessHandle.current().pid())));
        if (phaseEnds != null) {
            values.put("phase-ends", phaseEnds.toString());
        }
        if (ends != null) {
            values.put("ends", ends.toString());
        }
        NoteFile.write(directory.benchmarkFile(), values);
    }

    /** Empty when no benchmark measures this stack. */
    static Optional<BenchmarkNote> in(RunDirectory directory) {
        return NoteFile.read(directory.benchmarkFile(), values -> ProcessHandle.of(Long.parseLong(values.get("pid")))
                        .filter(ServerProcess::isAlive)
                        .map(measuring -> of(values)))
                .flatMap(alive -> alive);
    }

    private static BenchmarkNote of(Map<String, String> values) {
        return new BenchmarkNote(
                Integer.parseInt(values.get("run")),
                Integer.parseInt(values.get("runs")),
                values.get("subject").strip(),
                values.get("phase").strip(),
                Instant.parse(values.get("phase-began")),
                instant(values.get("phase-ends")),
                instant(values.get("ends")));
    }

    private static @Nullable Instant instant(@Nullable String text) {
        return text == null ? null : Instant.parse(text);
    }

    ObjectNode tree() {
        return JsonNodeFactory.instance
                .objectNode()
                .put("run", run)
                .put("runs", runs)
                .put("subject", subject)
                .put("phase", phase)
                .put("phaseBegan", phaseBegan.toString())
                .put("phaseEnds", phaseEnds == null ? null : phaseEnds.toString())
                .put("ends", ends == null ? null : ends.toString());
    }

    /** One line for people. */
    String text() {
        return "run " + run + " of " + runs + ", " + phase
                + (phaseEnds == null ? " since " + phaseBegan : " until " + phaseEnds)
                + (ends == null ? "" : ", all until about " + ends);
    }
}
