package dev.millrace.deploy.kubernetes.stack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.core.audit.AuditResult;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class AuditEndTest {
    private static final String TABLE = "store against ledger\nequal 1, different 2\n";

    @Test
    @DisplayName("an audit is not equal only where something was compared")
    void notEqual() {
        assertThat(AuditEnd.fault(0, TABLE, "")).isEmpty();
        assertThat(AuditEnd.fault(1, TABLE, "")).contains("the audit is not equal (exit code 1)");
        assertThat(AuditEnd.fault(1, TABLE + AuditResult.CHECKED_NOTHING + ": no window\n", ""))
                .contains("the audit had nothing to compare");
        assertThat(AuditEnd.fault(
                        1, "# There is insufficient memory\n", "java.lang.OutOfMemoryError: Java heap space\n"))
                .contains("the audit could not compare (exit code 1): java.lang.OutOfMemoryError: Java heap space");
    }

    @Test
    @DisplayName("one that could not be made says why, in its own words")
    void broken() {
        assertThat(AuditEnd.fault(3, "", "millrace: the store does not answer\n"))
                .contains("the audit could not compare (exit code 3): millrace: the store does not answer");
        assertThat(AuditEnd.fault(143, "", "")).contains("the audit was ended by signal 15");
    }

    @Test
    @DisplayName("one that was killed does not fit beside the generator")
    void killed() {
        assertThat(AuditEnd.fault(137, "", "")).hasValueSatisfying(fault -> assertThat(fault)
                .startsWith("the audit was killed (exit code 137)")
                .contains("memory of its pod")
                .doesNotContain("not equal"));
    }
}
