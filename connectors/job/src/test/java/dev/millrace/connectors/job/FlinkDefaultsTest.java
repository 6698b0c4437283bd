package dev.millrace.connectors.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.core.settings.JobSettings;
import dev.millrace.core.settings.Options;
import java.lang.reflect.Constructor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ConfigurationUtils;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.runtime.executiongraph.failover.ExponentialDelayRestartBackoffTimeStrategy;
import org.apache.flink.runtime.executiongraph.failover.RestartBackoffTimeStrategy;
import org.apache.flink.util.clock.Clock;
import org.apache.flink.util.clock.ManualClock;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Flink's own strategy, with what a job asks of it, on a clock of the test. */
@DisplayName("The wait before a job that failed starts again")
class FlinkDefaultsTest {
    private static final Duration AT_ONCE = Duration.ofSeconds(1);

    private final ManualClock clock = new ManualClock(Duration.ofDays(1).toNanos());
    private RestartBackoffTimeStrategy strategy;

    /** Its public factory takes the system's clock. */
    @BeforeEach
    void strategy() throws ReflectiveOperationException {
        Configuration job = FlinkDefaults.job(Options.none().bind("job", JobSettings::bind));
        assertThat(job.get(RestartStrategyOptions.RESTART_STRATEGY)).isEqualTo("exponential-delay");
        Constructor<ExponentialDelayRestartBackoffTimeStrategy> constructor =
                ExponentialDelayRestartBackoffTimeStrategy.class.getDeclaredConstructor(
                        Clock.class, long.class, long.class, double.class, long.class, double.class, int.class);
        constructor.setAccessible(true);
        strategy = constructor.newInstance(
                clock,
                job.get(RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_INITIAL_BACKOFF)
                        .toMillis(),
                job.get(RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_MAX_BACKOFF)
                        .toMillis(),
                job.get(RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_BACKOFF_MULTIPLIER),
                job.get(RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_RESET_BACKOFF_THRESHOLD)
                        .toMillis(),
                job.get(RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_JITTER_FACTOR),
                job.get(RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_ATTEMPTS));
    }

    /** The waits when each attempt runs so long before it fails. */
    private List<Long> waits(int failures, Duration run) {
        List<Long> waits = new ArrayList<>();
        for (int failure = 0; failure < failures; failure++) {
            strategy.notifyFailure(new IllegalStateException("killed"));
            waits.add(strategy.getBackoffTime());
            clock.advanceTime(Duration.ofMillis(strategy.getBackoffTime()).plus(run));
        }
        return waits;
    }

    @Test
    @DisplayName("grows when it fails at once, so that the machine is not used up, to 5 s and no more")
    void failsAtOnce() {
        List<Long> waits = waits(20, AT_ONCE);
        assertThat(waits).allMatch(wait -> wait <= 5000);
        assertThat(waits.subList(5, 20)).allMatch(wait -> wait >= 4000);
    }

    @Test
    @DisplayName("is a second again when it ran for 40 s, however often it failed before")
    void ranForAWhile() {
        waits(20, AT_ONCE);
        clock.advanceTime(Duration.ofSeconds(40));
        assertThat(waits(20, Duration.ofSeconds(40))).allMatch(wait -> wait <= 1100);
    }

    @Test
    @DisplayName("never ends: a job is tried again for ever")
    void forEver() {
        waits(1000, AT_ONCE);
        assertThat(strategy.canRestart()).isTrue();
    }

    @Test
    @DisplayName(
            "is not made longer by a TaskManager that is not there yet: its slots are waited for, at any age of the JobManager")
    void slotsAreWaitedFor() {
        Configuration cluster = new Configuration();
        FlinkDefaults.cluster(cluster);
        assertThat(ConfigurationUtils.getStandaloneClusterStartupPeriodTime(cluster)
                        .toMilliseconds())
                .as("Flink fails what it cannot fulfil after so many milliseconds; never, when it is zero")
                .isZero();
    }
}
