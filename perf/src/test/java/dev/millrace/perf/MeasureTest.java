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
    void onAClusterTheTargetsOptionsAreTheCommandsOwn() {
        Properties properties = new Properties();
        properties.putAll(Map.of(
                "millrace.target", "kubernetes",
                "millrace.context", "kind-one",
                "millrace.base", "this-machine"));
        assertThat(Measure.line("profiles=[perf]", properties))
                .containsExactly(
                        "benchmark",
                        "--scenario",
                        "quick",
                        "--base",
                        "this-machine",
                        "--context",
                        "kind-one",
                        "--target",
                        "kubernetes");
    }

    @Test
    void propertiesAreItsOptionsAndEveryOtherIsOneOfUp() {
        Properties properties = new Properties();
        properties.putAll(Map.of(
                "millrace.scenario", "steady",
                "millrace.pairs", "6",
                "millrace.instances", "all=c5.2xlarge",
                "millrace.rate", "9000",
                "millrace.measure", "10s",
                "millrace.dry-run", "true",
                "millrace.testGroups", "server",
                "millrace.root", "/somewhere",
                "user.name", "somebody"));
        assertThat(Measure.line("profiles=[perf]", properties))
                .containsExactly(
                        "benchmark",
                        "--scenario",
                        "steady",
                        "--dry-run",
                        "--instances",
                        "all=c5.2xlarge",
                        "--measure",
                        "10s",
                        "--pairs",
                        "6",
                        "--up",
                        "rate=9000");
    }
}
