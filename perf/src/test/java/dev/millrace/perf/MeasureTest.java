package dev.millrace.perf;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;

class MeasureTest {
    @Test
    void withoutABrokersProfileTheScenarioSaysWhichBrokers() {
        assertThat(Measure.line("profiles=[perf]", new Properties()))
                .containsExactly("benchmark", "--scenario", "quick");
    }

    @Test
    void profilesBesideItAreTheBrokers() {
        assertThat(Measure.line("profiles=[north, perf, south]", new Properties()))
                .containsExactly("benchmark", "--brokers", "north,south", "--scenario", "quick");
    }

    @Test
    void propertiesAreItsOptionsAndEveryOtherIsOneOfUp() {
        Properties properties = new Properties();
        properties.putAll(Map.of(
                "millrace.scenario", "steady",
                "millrace.pairs", "6",
                "millrace.instances", "all=c5.2xlarge",
                "millrace.rate", "9000",
                "millrace.root", "/somewhere",
                "user.name", "somebody"));
        assertThat(Measure.line("profiles=[perf]", properties))
                .containsExactly(
                        "benchmark",
                        "--scenario",
                        "steady",
                        "--instances",
                        "all=c5.2xlarge",
                        "--pairs",
                        "6",
                        "--up",
                        "rate=9000");
    }
}
