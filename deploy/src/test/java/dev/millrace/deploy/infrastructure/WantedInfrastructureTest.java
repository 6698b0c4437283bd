package dev.millrace.deploy.infrastructure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.core.settings.UserException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WantedInfrastructureTest {
    private static WantedInfrastructure of(String range, String... namespaces) {
        return WantedInfrastructure.checked(
                "millrace", "us-east-1", List.of(), List.of(range), 3, List.of("north", "south"), List.of(namespaces));
    }

    @Test
    @DisplayName("jobs are trusted in the namespaces that are named, and in no others then")
    void namespaces() {
        assertThat(of("203.0.113.7/32", "millrace-north", "sensors").variables(true))
                .containsEntry("job_namespaces", List.of("millrace-north", "sensors"));
        for (String wrong : List.of("", "Sensors", "-a", "a_b", "*", "a".repeat(64))) {
            assertThatThrownBy(() -> of("203.0.113.7/32", wrong))
                    .isInstanceOf(UserException.class)
                    .hasMessageStartingWith("--job-namespaces: '" + wrong + "' is no namespace");
        }
    }

    @Test
    @DisplayName("without zones it is a and b of the region, and the configuration's variables have all that was said")
    void variables() {
        assertThat(of("203.0.113.7/32").variables(true))
                .containsEntry("zones", List.of("us-east-1a", "us-east-1b"))
                .containsEntry("allow_cidr", List.of("203.0.113.7/32"))
                .containsEntry("broker_nodes", 3)
                .containsEntry("job_namespaces", List.of("millrace-north", "millrace-south"))
                .containsEntry("offline", true)
                .containsEntry("check_quotas", false);
        assertThat(of("203.0.113.7/32").variables(false)).containsEntry("check_quotas", true);
        assertThat(of("203.0.113.7/32").variables(true)).doesNotContainKey("flink_nodes");
        assertThat(of("203.0.113.7/32").with(Map.of("flink", 2)).variables(true))
                .containsEntry("flink_nodes", 2);
    }

    @Test
    @DisplayName("all that is wrong is said at once")
    void allAtOnce() {
        assertThatThrownBy(() -> WantedInfrastructure.checked(
                        "Millrace",
                        "us-east",
                        List.of("eu-west-1a"),
                        List.of("198.51.100.0/0", "here"),
                        0,
                        List.of("north"),
                        List.of()))
                .isInstanceOf(UserException.class)
                .satisfies(failure -> assertThat(failure.getMessage().lines().toList())
                        .hasSize(7)
                        .element(0)
                        .asString()
                        .startsWith("--name: 'Millrace' must be 1 to 30 small letters"))
                .hasMessageContaining("--region: 'us-east' is no region; it must be such as us-east-1")
                .hasMessageContaining("--zones: it must be two different zones")
                .hasMessageContaining("--zones: 'eu-west-1a' is not in region us-east")
                .hasMessageContaining("--allow-cidr: '198.51.100.0/0' is everybody")
                .hasMessageContaining("--allow-cidr: 'here' is no range of IPv4 addresses")
                .hasMessageContaining("--broker-nodes: 0 must be from 1 to 100");
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.0.0.0", "10.0.0.0/33", "256.0.0.1/32", "10.0.0/8", "", "::1/128", "1198.51.100.0/00"})
    @DisplayName("a range that is none, or is everybody, is refused")
    void ranges(String range) {
        assertThatThrownBy(() -> of(range)).isInstanceOf(UserException.class).hasMessageStartingWith("--allow-cidr: '");
    }
}
