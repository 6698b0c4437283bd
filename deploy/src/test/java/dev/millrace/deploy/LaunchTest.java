package dev.millrace.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.core.settings.UserException;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import org.junit.jupiter.api.Test;

class LaunchTest {
    private static final List<String> KNOWN = List.of("alpha", "beta");

    @Test
    void everyBrokerThatIsNamedIsBroughtUp() {
        assertThat(Launch.brokers("profiles=[beta, alpha]", KNOWN, Optional.empty()))
                .containsExactly("beta", "alpha");
        assertThat(Launch.brokers("profiles=[alpha]", KNOWN, Optional.empty())).containsExactly("alpha");
    }

    @Test
    void aWrongNameIsASentenceWithASuggestion() {
        assertThatThrownBy(() -> Launch.brokers("profiles=[alhpa]", KNOWN, Optional.empty()))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("there is no broker 'alhpa'; did you mean -P alpha?; there are: alpha, beta");
    }

    @Test
    void withoutANameThePluginFromOutsideIsBroughtUp() {
        assertThat(Launch.brokers("profiles=[]", KNOWN, Optional.of("beta"))).containsExactly("beta");
        assertThat(Launch.brokers("profiles=[alpha]", KNOWN, Optional.of("beta")))
                .containsExactly("alpha");
    }

    @Test
    void elsewhereThePropertiesAreTheOptionsOfThatUp() {
        java.util.Properties properties = new java.util.Properties();
        properties.setProperty("millrace.root", "clone");
        properties.setProperty("millrace.target", "kubernetes");
        properties.setProperty("millrace.context", "mine");
        properties.setProperty("millrace.dry-run", "");
        properties.setProperty("millrace.broker.acks", "1");
        properties.setProperty("millrace.broker.maxBytes", "2");
        properties.setProperty("millrace.brokerNodes", "6");
        properties.setProperty("user.name", "me");
        assertThat(Launch.upOn("kubernetes", "alpha", properties))
                .containsExactly(
                        "up",
                        "--target",
                        "kubernetes",
                        "--broker",
                        "alpha",
                        "--broker.acks=1",
                        "--broker.maxBytes=2",
                        "--broker-nodes=6",
                        "--context=mine",
                        "--dry-run");
    }

    @Test
    void noNameIsASentenceThatListsTheBrokers() {
        assertThatThrownBy(() -> Launch.brokers("profiles=[]", KNOWN, Optional.empty()))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("mvn -P BROKER deploy; there are: alpha, beta");
    }

    @Test
    void optionsOfUpArePropertiesAndUnknownOnesAreRefused() {
        Properties properties = new Properties();
        properties.setProperty("millrace.root", "/x");
        properties.setProperty("millrace.rate", "50");
        properties.setProperty("millrace.broker.compression", "none");
        properties.setProperty("millrace.run-dir", "/elsewhere");
        properties.setProperty("user.home", "/y");
        Launch.Asked asked = Launch.asked(properties);
        assertThat(asked.options().asMap()).hasSize(2).containsEntry("rate", "50");
        assertThat(asked.runDir()).hasValueSatisfying(dir -> assertThat(dir).hasToString("/elsewhere"));
        properties.setProperty("millrace.devcies", "5");
        assertThatThrownBy(() -> Launch.asked(properties))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("there is no property 'millrace.devcies'; did you mean 'millrace.devices'?");
    }
}
