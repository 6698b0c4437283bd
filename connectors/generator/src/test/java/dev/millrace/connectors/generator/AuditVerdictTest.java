package dev.millrace.connectors.generator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditVerdictTest {
    @TempDir
    Path folder;

    private static GeneratorMetrics metrics(Path file) {
        GeneratorMetrics metrics = new GeneratorMetrics();
        metrics.watch(new AuditVerdict(file));
        return metrics;
    }

    private static String scrape(Path file) {
        return metrics(file).scrape();
    }

    @Test
    @DisplayName("the counts of the newest audit and when it ended are among the metrics")
    void newest() throws IOException {
        Path file = folder.resolve("audit.properties");
        Files.writeString(
                file,
                "audited-at=2026-01-02T03\\:04\\:05Z\nequal=false\nsentence=no\nrows-checked=1200\nmissing=3\n"
                        + "surplus=0\ndifferent=2\n");
        assertThat(scrape(file))
                .contains("millrace_audit_rows{what=\"checked\"} 1200.0")
                .contains("millrace_audit_rows{what=\"missing\"} 3.0")
                .contains("millrace_audit_rows{what=\"surplus\"} 0.0")
                .contains("millrace_audit_rows{what=\"different\"} 2.0")
                .contains("millrace_audit_equal 0.0")
                .contains("millrace_audit_ended_seconds 1.767323045E9");
    }

    @Test
    @DisplayName("they are so for as long as the generator lives")
    void heldForGood() throws IOException {
        GeneratorMetrics metrics = metrics(folder.resolve("audit.properties"));
        Files.writeString(
                folder.resolve("audit.properties"),
                "audited-at=2026-01-02T03\\:04\\:05Z\nequal=false\nsentence=no\nrows-checked=1\nmissing=3\n"
                        + "surplus=0\ndifferent=2\n");
        WeakReference<Object> held = new WeakReference<>(new Object());
        for (int i = 0; i < 100 && held.get() != null; i++) {
            System.gc();
            LockSupport.parkNanos(20_000_000);
        }
        assertThat(held.get()).as("the collector was at work").isNull();
        assertThat(metrics.scrape()).contains("millrace_audit_rows{what=\"missing\"} 3.0");
    }

    @Test
    @DisplayName("before the first audit, and of a file that makes no sense, there is no count that looks good")
    void none() throws IOException {
        Path broken = Files.writeString(folder.resolve("broken"), "missing=none\naudited-at=yesterday\n\\uXYZ");
        for (Path file : new Path[] {folder.resolve("nowhere"), broken}) {
            assertThat(scrape(file))
                    .contains("millrace_audit_rows{what=\"missing\"} NaN")
                    .contains("millrace_audit_equal NaN")
                    .contains("millrace_audit_ended_seconds NaN");
        }
    }
}
