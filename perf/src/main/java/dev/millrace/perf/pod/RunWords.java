package dev.millrace.perf.pod;

import dev.millrace.perf.result.ResultJson;
import dev.millrace.perf.result.Run;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * How a run in a pod and the one who waits for it outside speak: by lines in the pod's log, the only way out of a pod that needs no
 * right and no door. Lines that begin otherwise are for people.
 */
public final class RunWords {
    private static final String SAYS = "#says ";
    private static final String RUN = "#run ";
    private static final String FILE = "#file ";

    private RunWords() {}

    static void says(PrintWriter out, String line) {
        out.println(SAYS + line);
        out.flush();
    }

    static void run(PrintWriter out, Run run) {
        out.println(RUN + ResultJson.line(run));
        out.flush();
    }

    static void file(PrintWriter out, Path file) throws IOException {
        out.println(FILE + file.getFileName() + " " + Base64.getEncoder().encodeToString(Files.readAllBytes(file)));
        out.flush();
    }

    /** The newest line of how it goes. */
    public static Optional<String> newest(String log) {
        return log.lines()
                .filter(line -> line.startsWith(SAYS))
                .reduce((before, last) -> last)
                .map(line -> line.substring(SAYS.length()));
    }

    /** The run, when it was told to its end. */
    public static Optional<Run> run(String log) {
        return log.lines()
                .filter(line -> line.startsWith(RUN))
                .findFirst()
                .map(line -> ResultJson.run(line.substring(RUN.length())));
    }

    /** The log without what is for the one who waits. */
    public static String forPeople(String log) {
        return log.lines()
                .filter(line -> !line.startsWith(RUN) && !line.startsWith(FILE))
                .map(line -> line.startsWith(SAYS) ? line.substring(SAYS.length()) : line)
                .collect(Collectors.joining("\n", "", "\n"));
    }

    /** Writes the files that were told into a folder. */
    public static void files(String log, Path folder) throws IOException {
        for (String line : log.lines().filter(line -> line.startsWith(FILE)).toList()) {
            String[] words = line.substring(FILE.length()).split(" ", 2);
            Files.write(
                    folder.resolve(Path.of(words[0]).getFileName()),
                    Base64.getDecoder().decode(words[1]));
        }
    }
}
