package dev.millrace.connectors.api.lint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.core.settings.UserException;
import org.junit.jupiter.api.Test;

class PropertiesTextTest {

    @Test
    void everySettingHasTheLineInWhichItBegins() {
        assertThat(PropertiesText.parse("# a=0\n\na=1\r\n  b : 2 \n! c=3\nd\n"))
                .containsExactly(
                        new SettingLine(3, "a", "1"), new SettingLine(4, "b", "2"), new SettingLine(6, "d", ""));
    }

    @Test
    void aValueMayGoOnInTheNextLineAndACommentDoesNot() {
        assertThat(PropertiesText.parse("a=1,\\\n   2,\\\n   3\n# c \\\nb=4\nc=5\\\\\nd=6"))
                .containsExactly(
                        new SettingLine(1, "a", "1,2,3"),
                        new SettingLine(5, "b", "4"),
                        new SettingLine(6, "c", "5\\"),
                        new SettingLine(7, "d", "6"));
    }

    @Test
    void aRepetitionIsKept() {
        assertThat(PropertiesText.parse("a=1\na=2")).hasSize(2);
    }

    @Test
    void aWrongEscapeIsASentenceWithItsLine() {
        assertThatThrownBy(() -> PropertiesText.parse("a=1\nb=C:\\users"))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("line 2: ");
    }
}
