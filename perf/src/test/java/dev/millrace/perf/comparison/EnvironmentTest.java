package dev.millrace.perf.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class EnvironmentTest {
    @Test
    @DisplayName("the processor is its model's name")
    void name() {
        assertThat(
                        cpu(
                                """
                        processor\t: 0
                        vendor_id\t: AuthenticAMD
                        model\t\t: 1
                        model name\t: AMD EPYC 7R13 Processor
                        processor\t: 1
                        model name\t: AMD EPYC 7R13 Processor
                        """))
                .isEqualTo("AMD EPYC 7R13 Processor");
    }

    @Test
    @DisplayName("arm64 kernels give numbers in place of a name, and other numbers are another processor")
    void arm() {
        String graviton =
                """
                processor\t: 0
                BogoMIPS\t: 243.75
                Features\t: fp asimd evtstrm aes
                CPU implementer\t: 0x41
                CPU architecture: 8
                CPU variant\t: 0x3
                CPU part\t: 0xd0c
                CPU revision\t: 1
                """;
        assertThat(cpu(graviton)).isEqualTo("CPU implementer 0x41, CPU variant 0x3, CPU part 0xd0c");
        assertThat(cpu(graviton.replace("0xd0c", "0xd40"))).isNotEqualTo(cpu(graviton));
    }

    @Test
    @DisplayName("where nothing names it there is the architecture")
    void unknown() {
        assertThat(Environment.cpu(List.of())).isEqualTo(System.getProperty("os.arch"));
        assertThat(cpu("processor\t: 0\nmodel name\t:\n")).isEqualTo(System.getProperty("os.arch"));
    }

    private static String cpu(String cpuinfo) {
        return Environment.cpu(cpuinfo.lines().toList());
    }
}
