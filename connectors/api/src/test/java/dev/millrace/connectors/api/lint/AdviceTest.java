package dev.millrace.connectors.api.lint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AdviceTest {
    private static final KnownSettings NOTHING = new KnownSettings("nothing", Map.of(), List.of(), List.of());

    @ParameterizedTest
    @CsvSource({
        "always, x, true",
        "= false, False, true",
        "= false, true, false",
        "> 0, 1, true",
        "> 0, 0, false",
        "> 0, many, false",
        "< 16384, 10000, true",
        "< 16384, 16384, false",
        "while other = 0, x, true",
        "while other = 1, x, false"
    })
    void aConditionIsOfTheValueOrOfAnotherSetting(String condition, String value, boolean holds) {
        assertThat(AdviceCondition.parse(condition).holds(value, Map.of("other", "0"), NOTHING))
                .isEqualTo(holds);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a | always | misnamed | b",
                "a | sometimes | misnamed | b | c",
                "a | always | splendid | b | c",
                "a | > x | note | | c"
            })
    void aLineThatIsNoneIsOurOwnFault(String line) {
        assertThatThrownBy(() -> Advice.parse(line))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(line);
    }

    @Test
    void aResourceThatIsNotThereIsOurOwnFault() {
        assertThatThrownBy(() -> Advice.of(AdviceTest.class, "none.advice"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("none.advice");
    }
}
