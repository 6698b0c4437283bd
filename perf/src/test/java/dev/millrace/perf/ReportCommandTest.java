package dev.millrace.perf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportCommandTest {
    @TempDir
    Path base;

    @Test
    void theReportIsWrittenIntoTheFolderOfTheResultAndItsPathPrinted() {
        Path result = Results.usual().in(base.resolve("one"));
        Outcome ofFolder = Outcome.of("report", result.toString());
        assertThat(ofFolder.exitCode()).as(ofFolder.err()).isZero();
        assertThat(Path.of(ofFolder.out().strip())).exists().startsWith(result);
        assertThat(Outcome.of("report", result.resolve("result.json").toString()))
                .isEqualTo(ofFolder);
    }

    @Test
    void toNamesAnotherFolderWhichIsMade() {
        Path result = Results.usual().in(base.resolve("one"));
        Path other = base.resolve("there").resolve("too");
        Outcome outcome = Outcome.of("report", result.toString(), "--to", other.toString());
        assertThat(outcome.exitCode()).isZero();
        assertThat(Path.of(outcome.out().strip())).exists().startsWith(other);
    }

    @Test
    void whatIsNoResultIsASentence() throws IOException {
        Outcome nothing = Outcome.of("report", base.toString());
        assertThat(nothing.exitCode()).isEqualTo(2);
        assertThat(nothing.err())
                .startsWith("millrace: there is no result in " + base + "; name the folder of a benchmark's result");
        Path other = Files.writeString(base.resolve("result.json"), "{\"schema\": \"other-1\"}");
        Outcome foreign = Outcome.of("report", other.toString());
        assertThat(foreign.exitCode()).isEqualTo(2);
        assertThat(foreign.err())
                .startsWith("millrace: " + other
                        + " has schema 'other-1'; this version of millrace reads 'millrace-benchmark-1'");
    }

    @Test
    void withoutAResultTheHelpIsNamed() {
        Outcome outcome = Outcome.of("report");
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.err()).contains("RESULT").contains("see millrace report --help");
    }

    @Test
    void aFolderThatCannotBeMadeIsASentence() throws IOException {
        Path result = Results.usual().in(base.resolve("one"));
        Path file = Files.writeString(base.resolve("file"), "");
        Outcome outcome = Outcome.of(
                "report", result.toString(), "--to", file.resolve("below").toString());
        assertThat(outcome.exitCode()).isEqualTo(3);
        assertThat(outcome.err())
                .startsWith("millrace: cannot make the folder " + file.resolve("below") + " for the report: ")
                .endsWith("; name one that can be written: --to DIR" + System.lineSeparator());
        assertThat(outcome.err().lines()).hasSize(1);
    }

    @Test
    void aFolderThatCannotBeWrittenIsASentence() {
        Path result = Results.usual().in(base.resolve("one"));
        assertThat(result.toFile().setWritable(false)).isTrue();
        try {
            // Root may write anywhere.
            assumeThat(Files.isWritable(result)).isFalse();
            Outcome outcome = Outcome.of("report", result.toString());
            assertThat(outcome.exitCode()).isEqualTo(3);
            assertThat(outcome.err())
                    .startsWith("millrace: cannot write to the folder " + result
                            + "; name one that can be written: --to DIR");
        } finally {
            assertThat(result.toFile().setWritable(true)).isTrue();
        }
    }

    @Test
    void aReportThatCannotBeWrittenIsASentence() throws IOException {
        Path result = Results.usual().in(base.resolve("one"));
        // In the way of root, too.
        Files.createDirectories(result.resolve("report.html.new/in-the-way"));
        Outcome outcome = Outcome.of("report", result.toString());
        assertThat(outcome.exitCode()).isEqualTo(3);
        assertThat(outcome.err()).startsWith("millrace: cannot write a report in " + result);
    }

    @Test
    void exitCodesAreInTheHelp() {
        Outcome help = Outcome.of("report", "--help");
        assertThat(help.exitCode()).isZero();
        assertThat(help.out()).contains("Exit code 0: written. 2: ", " 3: ");
    }
}
