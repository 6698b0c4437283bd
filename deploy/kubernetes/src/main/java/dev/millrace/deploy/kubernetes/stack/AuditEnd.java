package dev.millrace.deploy.kubernetes.stack;

import dev.millrace.core.audit.AuditResult;
import dev.millrace.deploy.command.AuditCommand;
import dev.millrace.deploy.command.Millrace;
import java.util.Optional;

/** How the audit ended that was run in the generator's pod. Stateless. */
final class AuditEnd {
    /** A process that a signal ended has this, and the signal's number. */
    private static final int SIGNAL = 128;

    private static final int KILLED = SIGNAL + 9;

    private AuditEnd() {}

    /**
     * What is wrong, as a part of a sentence; empty when all was equal.
     *
     * @param table what it printed; a JVM that breaks has the exit code of a difference, and no table
     * @param said what it, or its JVM, said besides
     */
    static Optional<String> fault(int code, String table, String said) {
        if (code == Millrace.OK) {
            return Optional.empty();
        }
        if (code == Millrace.OWN_FAULT && table.contains(AuditCommand.TABLE)) {
            return Optional.of(
                    table.contains(AuditResult.CHECKED_NOTHING)
                            ? "the audit had nothing to compare"
                            : "the audit is not equal (exit code " + code + ")");
        }
        String why = said.isBlank() ? "" : ": " + said.strip();
        return Optional.of(
                code == KILLED
                        ? "the audit was killed (exit code " + code + "), as it is where it does not fit beside the"
                                + " generator into the memory of its pod; name fewer --devices" + why
                        : code > SIGNAL
                                ? "the audit was ended by signal " + (code - SIGNAL) + why
                                : "the audit could not compare (exit code " + code + ")" + why);
    }
}
