package dev.millrace.perf.run.exercise;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.perf.run.exercise.Bottleneck.Part;
import dev.millrace.perf.run.exercise.VertexTimes.Share;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class BottleneckTest {
    private static final Share SOURCE = new Share("Source: north -> decode", 0.7, 0.2, 0.1);
    private static final Share WINDOWS = new Share("windows -> store", 0.3, 0, 0.7);

    @Test
    void onSharedAndSaturatedProcessorsNothingIsSaidButWhatWasSeen() {
        assertThat(new Bottleneck(
                                List.of(SOURCE, WINDOWS),
                                List.of(
                                        part("broker", 0.4, 0, 1),
                                        part("taskmanager", 1.5, 0, 1),
                                        part("store", 0, 0, 1)),
                                0.97,
                                2)
                        .sentence())
                .isEqualTo("bottleneck of the drain: shared cores, not separable ('Source: north -> decode' busy 70 %,"
                        + " back-pressured 20 %, idle 10 %; 'windows -> store' busy 30 %, back-pressured 0 %, idle 70 %;"
                        + " cores used: broker 0.40, taskmanager 1.50 of 2; the machine was busy 97 % of the time)");
    }

    @Test
    void aSourceThatWaitsOnAMachineWithTimeLeftShowsTheBroker() {
        assertThat(verdict(0.4, new Share("Source: north", 0.25, 0, 0.75), part("broker", 0.3), part("job", 0.3)))
                .startsWith("the broker or the network, which deliver less than the job takes: its source waited 75 %");
    }

    @Test
    void aMachineThatIsNotKnownToBeBusyIsNotSaidToHaveBeenIdle() {
        assertThat(verdict(Double.NaN, SOURCE, part("broker", 0.3)))
                .endsWith("cores used: broker 0.30 of 4; how busy the machine was is not known)");
    }

    @Test
    void aVertexThatIsBusyNearlyAlwaysIsIt() {
        assertThat(verdict(0.4, new Share("windows", 0.93, 0, 0.07), part("broker", 0.3), part("job", 0.3)))
                .startsWith("the job's 'windows', busy 93 % of the time (");
    }

    @Test
    void whereNothingIsBusyNothingIsClaimed() {
        assertThat(verdict(0.4, SOURCE, part("broker", 0.3), part("job", 0.3)))
                .startsWith("not seen, as no part was busy nearly all the time (");
    }

    @Test
    void partsWithProcessorsOfTheirOwnAreHeldAgainstThese() {
        assertThat(verdict(0.97, SOURCE, part("broker", 1.85, 0, 1), part("taskmanager", 1.2, 2, 3)))
                .startsWith("the broker, which used 1.85 of its 2 processors (");
        // One processor in common is enough: then either may wait for the other.
        assertThat(verdict(0.97, SOURCE, part("broker", 1.85, 0, 1), part("taskmanager", 1.2, 1, 3)))
                .startsWith("shared cores, not separable (");
        assertThat(verdict(0.97, SOURCE, part("broker", 1.85, 0, 1), part("taskmanager", 1.2)))
                .as("processors of one are not known")
                .startsWith("shared cores, not separable (");
    }

    private static String verdict(double busy, Share vertex, Part... parts) {
        return new Bottleneck(List.of(vertex), List.of(parts), busy, 4)
                .sentence()
                .substring("bottleneck of the drain: ".length());
    }

    private static Part part(String name, double cores, int... allowed) {
        BitSet set = new BitSet();
        for (int processor : allowed) {
            set.set(processor);
        }
        return new Part(name, cores, set);
    }
}
