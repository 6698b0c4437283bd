package dev.millrace.perf.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Figures for people")
class DigitsTest {
    @Test
    @DisplayName("what is beyond a bound has as many places as tell it from the bound, and no more")
    void beyond() {
        assertThat(Digits.beyond(98.9, 99.5, 1)).isEqualTo("98.9");
        assertThat(Digits.beyond(99.46, 99.5, 1)).isEqualTo("99.46");
        assertThat(Digits.beyond(2.0004, 2, 1)).isEqualTo("2.0004");
        assertThat(Digits.beyond(1000.3, 1000, 0)).isEqualTo("1000.3");
        assertThat(Digits.beyond(-1000.3, -1000, 0)).isEqualTo("-1000.3");
        assertThat(Digits.beyond(1234, 1000, 0)).isEqualTo("1234");
        assertThat(Digits.beyond(2 + 1e-12, 2, 1)).isEqualTo("2.000000000");
    }
}
