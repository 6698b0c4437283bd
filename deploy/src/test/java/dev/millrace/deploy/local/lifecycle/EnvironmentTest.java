package dev.millrace.deploy.local.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.core.settings.UserException;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EnvironmentTest {

    @Test
    void aReferenceIsReplacedWhereverItStandsAndASignThatIsNoneStays() {
        assertThat(Environment.resolved(
                        "file",
                        Map.of("a", "x ${env:ONE}\"${env:TWO}\";", "b", "$1 ${file:ONE} \\"),
                        Map.of("ONE", "p$1\\q", "TWO", "")))
                .isEqualTo(Map.of("a", "x p$1\\q\"\";", "b", "$1 ${file:ONE} \\"));
    }

    @Test
    void allVariablesThatAreMissingAreInOneSentence() {
        assertThatThrownBy(() -> Environment.resolved(
                        "settings file f", Map.of("a", "${env:B}", "b", "${env:A} ${env:B}"), Map.of()))
                .isInstanceOf(UserException.class)
                .hasMessage("settings file f refers to environment variables that are not set: A, B");
    }
}
