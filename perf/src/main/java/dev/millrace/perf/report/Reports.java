package dev.millrace.perf.report;

import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.perf.result.BenchmarkResult;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.Map;

/** All forms of a report, in a folder. */
public final class Reports {
    private static final String HTML = "report.html";

    private Reports() {}

    /** Writes one file. */
    private interface Content {
        void to(Writer out) throws IOException;
    }

    /**
     * Writes {@code report.html}, {@code report.md}, {@code runs.csv} and {@code samples.csv}; what was there is replaced, each file in
     * one piece and none before all are written. Other files of the folder are left alone.
     *
     * @param folder made if it is not there
     * @return the HTML page
     * @throws EnvironmentException if the folder cannot be written
     */
    public static Path write(BenchmarkResult result, Path folder) {
        Map<Path, Content> contents = new LinkedHashMap<>();
        contents.put(folder.resolve("runs.csv"), out -> CsvFiles.runs(result, out));
        contents.put(folder.resolve("samples.csv"), out -> CsvFiles.samples(result, out));
        contents.put(folder.resolve("report.md"), out -> out.write(MarkdownReport.of(result)));
        contents.put(folder.resolve(HTML), out -> out.write(HtmlReport.of(result)));
        try {
            Files.createDirectories(folder);
            try {
                for (Map.Entry<Path, Content> file : contents.entrySet()) {
                    try (Writer out = Files.newBufferedWriter(draft(file.getKey()))) {
                        file.getValue().to(out);
                    }
                }
                for (Path file : contents.keySet()) {
                    Files.move(draft(file), file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
                }
            } finally {
                for (Path file : contents.keySet()) {
                    Files.deleteIfExists(draft(file));
                }
            }
        } catch (IOException e) {
            throw new EnvironmentException("cannot write a report in " + folder + ": " + e, e);
        }
        return folder.resolve(HTML);
    }

    private static Path draft(Path file) {
        return file.resolveSibling(file.getFileName() + ".new");
    }
}
