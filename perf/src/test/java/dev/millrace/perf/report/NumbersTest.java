package dev.millrace.perf.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class NumbersTest {
    @Test
    void aNumberHasAsManyPlacesAsCount() {
        assertThat(Numbers.text(19_999.6)).isEqualTo("20,000");
        assertThat(Numbers.text(12.34)).isEqualTo("12.3");
        assertThat(Numbers.text(1.234)).isEqualTo("1.23");
        assertThat(Numbers.text(0.01234)).isEqualTo("0.012");
        assertThat(Numbers.text(0.0000123)).isEqualTo("1.2e-05");
        assertThat(Numbers.text(0.0)).isEqualTo("0");
        assertThat(Numbers.text(3.0)).isEqualTo("3");
    }

    @Test
    void aShareThatIsNotWholeDoesNotLookWhole() {
        assertThat(Numbers.text(0.9997)).isEqualTo("0.9997");
        assertThat(Numbers.ratio(0.9998)).isEqualTo("0.9998");
        assertThat(Numbers.text(0.99997)).isEqualTo("0.99997");
        assertThat(Numbers.ratio(1.00003)).isEqualTo("1.00003");
        assertThat(Numbers.ratio(0.9999)).isEqualTo("0.9999");
        assertThat(Numbers.ratio(1)).isEqualTo("1.0000");
        assertThat(Numbers.ratio(0.014)).isEqualTo("0.01");
        assertThat(Numbers.ratio(0.0044)).isEqualTo("0.004");
        assertThat(Numbers.ratio(0.00044)).isEqualTo("4.4e-04");
        assertThat(Numbers.ratio(0)).isEqualTo("0");
        assertThat(Numbers.percentAbove(1.0004)).isEqualTo("0.04 %");
        assertThat(Numbers.percentAbove(1.00003)).isEqualTo("0.003 %");
    }

    @Test
    void whatIsNotKnownIsADash() {
        assertThat(Numbers.text(null)).isEqualTo(Numbers.NONE);
        assertThat(Numbers.text(Double.NaN)).isEqualTo(Numbers.NONE);
        assertThat(Numbers.ratio(Double.NaN)).isEqualTo(Numbers.NONE);
        assertThat(Numbers.percentAbove(Double.NaN)).isEqualTo(Numbers.NONE);
    }
}
