package dev.millrace.deploy.look;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.core.audit.AuditResult;
import dev.millrace.deploy.local.RunDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AuditNoteTest {
    private static final Instant TIME = Instant.parse("2026-11-21T03:00:10.123Z");

    @TempDir
    Path base;

    private RunDirectory stack() throws IOException {
        RunDirectory directory = RunDirectory.of(base, "river");
        Files.createDirectories(directory.path());
        return directory;
    }

    private static AuditResult result(long rowsChecked, long missing) {
        return new AuditResult(
                "window", 0, 10, rowsChecked, 7, 900, missing, 0, 0, 0, 0, 0, false, 0, 0, 0, 0, List.of());
    }

    @Test
    void whatAnAuditLeavesIsReadAndTheNextReplacesIt() throws IOException {
        RunDirectory directory = stack();
        assertThat(AuditNote.in(directory)).isEmpty();
        AuditNote first = AuditNote.of(TIME, new StackAudit.Finding(result(52, 0), null, 0, 0));
        assertThat(first.equal()).isTrue();
        first.leaveIn(directory);
        assertThat(AuditNote.in(directory)).contains(first);
        AuditNote second = AuditNote.of(TIME.plusSeconds(1), new StackAudit.Finding(result(52, 3), null, 0, 0));
        second.leaveIn(directory);
        assertThat(AuditNote.in(directory)).contains(second);
        assertThat(second.text())
                .startsWith("not equal at 2026-11-21T03:00:11Z: The store differs from the ledger: 3 windows missing");
    }

    @Test
    void anAuditThatCheckedNothingIsNotEqual() {
        AuditNote note = AuditNote.of(TIME, new StackAudit.Finding(result(0, 0), null, 0, 0));
        assertThat(note.equal()).isFalse();
        assertThat(note.sentence()).contains("checked nothing");
    }

    @Test
    void whereOnlyTheResultTopicDiffersItIsOfTheTopic() {
        AuditNote note = AuditNote.of(TIME, new StackAudit.Finding(result(52, 0), result(50, 2), 9, 0));
        assertThat(note.equal()).isFalse();
        assertThat(note.missing()).isEqualTo(2);
        assertThat(note.sentence()).startsWith("The topic differs from the ledger");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\0\0\0",
                "equal=true",
                "audited-at=\\u12",
                "audited-at=2026-11-21T03:00:10Z\nequal=true\nsentence=All.\nrows-checked=5",
                "audited-at=yesterday\nequal=true\nsentence=All.\nrows-checked=5\nmissing=0\nsurplus=0\ndifferent=0"
            })
    void aFileThatMakesNoSenseIsNoNote(String text) throws IOException {
        RunDirectory directory = stack();
        Files.writeString(directory.auditFile(), text);
        assertThat(AuditNote.in(directory)).isEmpty();
    }

    @Test
    void whateverIsThereTheNextAuditReplacesIt() throws IOException {
        RunDirectory directory = stack();
        Files.write(directory.auditFile(), new byte[] {(byte) 0xff, (byte) 0xfe, 0, 7});
        assertThat(AuditNote.in(directory)).isEmpty();
        AuditNote note = AuditNote.of(TIME, new StackAudit.Finding(result(52, 0), null, 0, 0));
        note.leaveIn(directory);
        assertThat(AuditNote.in(directory)).contains(note);
    }

    @Test
    void neitherIsAFolderOrAHugeFile() throws IOException {
        RunDirectory directory = stack();
        Files.createDirectory(directory.auditFile());
        assertThat(AuditNote.in(directory)).isEmpty();
        AuditNote note = AuditNote.of(TIME, new StackAudit.Finding(result(52, 0), null, 0, 0));
        note.leaveIn(directory);
        assertThat(AuditNote.in(directory)).isEmpty();
        Files.delete(directory.auditFile());
        note.leaveIn(directory);
        assertThat(AuditNote.in(directory)).contains(note);
        Files.writeString(directory.auditFile(), Files.readString(directory.auditFile()) + "#".repeat(70_000));
        assertThat(AuditNote.in(directory)).isEmpty();
    }

    @Test
    void aStackThatIsGoneGetsNone() {
        RunDirectory directory = RunDirectory.of(base, "gone");
        AuditNote.of(TIME, new StackAudit.Finding(result(52, 0), null, 0, 0)).leaveIn(directory);
        assertThat(directory.path()).doesNotExist();
    }
}
