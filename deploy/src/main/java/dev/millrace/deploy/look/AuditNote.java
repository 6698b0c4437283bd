package dev.millrace.deploy.look;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.core.audit.AuditResult;
import dev.millrace.deploy.local.RunDirectory;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;

/**
 * The verdict of a stack's newest audit, which whoever audits the stack's own store leaves in its run directory, for {@link
 * StackLook}. It goes with the data.
 *
 * @param auditedAt when the audit ended, to the second
 * @param equal whether something was checked and all of it was equal
 * @param sentence the verdict and why
 * @param rowsChecked windows of one device each, or latest times
 * @param missing rows of the ledger that were not there
 * @param surplus rows that nothing in the ledger stands for
 * @param different rows that were there with another value
 */
public record AuditNote(
        Instant auditedAt,
        boolean equal,
        String sentence,
        long rowsChecked,
        long missing,
        long surplus,
        long different) {

    /** Of the store; where only the result topic differs, of the topic. */
    public static AuditNote of(Instant auditedAt, StackAudit.Finding finding) {
        AuditResult topic = finding.topic();
        boolean isOfTopic = topic != null && finding.store().ok() && !topic.ok();
        AuditResult result = isOfTopic ? topic : finding.store();
        String sentence = result.sentence();
        return new AuditNote(
                auditedAt.truncatedTo(ChronoUnit.SECONDS),
                finding.ok(),
                isOfTopic ? sentence.replace("The store ", "The topic ") : sentence,
                result.rowsChecked(),
                result.missing(),
                result.surplus(),
                result.different());
    }

    /** Replaces the note of the audit before. */
    public void leaveIn(RunDirectory directory) {
        NoteFile.write(
                directory.auditFile(),
                Map.of(
                        "audited-at", auditedAt.toString(),
                        "equal", Boolean.toString(equal),
                        "sentence", sentence,
                        "rows-checked", Long.toString(rowsChecked),
                        "missing", Long.toString(missing),
                        "surplus", Long.toString(surplus),
                        "different", Long.toString(different)));
    }

    /** Empty when no audit of this stack has ended yet. */
    static Optional<AuditNote> in(RunDirectory directory) {
        return NoteFile.read(
                directory.auditFile(),
                values -> new AuditNote(
                        Instant.parse(values.get("audited-at")),
                        values.get("equal").equals("true"),
                        values.get("sentence").strip(),
                        Long.parseLong(values.get("rows-checked")),
                        Long.parseLong(values.get("missing")),
                        Long.parseLong(values.get("surplus")),
                        Long.parseLong(values.get("different"))));
    }

    ObjectNode tree() {
        return JsonNodeFactory.instance
                .objectNode()
                .put("auditedAt", auditedAt.toString())
                .put("equal", equal)
                .put("sentence", sentence)
                .put("rowsChecked", rowsChecked)
                .put("missing", missing)
                .put("surplus", surplus)
                .put("different", different);
    }

    /** One line for people. */
    String text() {
        return (equal ? "equal" : "not equal") + " at " + auditedAt + ": " + sentence;
    }
}
