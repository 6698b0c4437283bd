package dev.millrace.deploy.sizing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.infrastructure.NodeGroup;
import dev.millrace.deploy.local.Installation;
import dev.millrace.deploy.sizing.MeasuredRates.PerCore;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DerivationTest {
    private static Derivation of(long rate, int brokerNodes) {
        return Derivation.of(
                SizeRequest.checked("c5-i7i", Long.toString(rate), Integer.toString(brokerNodes), "0.6"), Rates.NORTH);
    }

    @Test
    @DisplayName("a million a second on three broker nodes is what a person calculates")
    void byHand() {
        Derivation derived = of(1_000_000, 3);
        // 1,000,000 / (0.6 x 60,000) = 27.8 cores are 29.6 slots of 15/16 core.
        assertThat(derived.parallelism()).isEqualTo(32);
        assertThat(derived.taskManagers()).isEqualTo(2);
        assertThat(derived.jobShare()).isCloseTo(1_000_000 / 60_000.0 / 30, within(1e-9));
        // 2 x 32 does not divide by 3.
        assertThat(derived.partitions()).isEqualTo(96);
        // 1,000,000 / (0.6 x 100,000) = 16.7 cores of 14.
        assertThat(derived.generators()).isEqualTo(2);
        assertThat(derived.brokerShare()).isCloseTo(3 * 12.5 / 84, within(1e-9));
        assertThat(derived.devices()).isEqualTo(1_000_000);
        assertThat(derived.networkBytesPerSecond()).isEqualTo(400_000_000);
        assertThat(derived.diskBytesPerHour()).isEqualTo(1_080_000_000_000L);
        // 2 x 1.08e12 bytes / 96 = 21,457.7 MiB.
        assertThat(derived.retentionBytesPerPartition()).isEqualTo(21_458L << 20);
        assertThat(derived.groups())
                .contains(
                        new NodeGroup("broker", "i7i.8xlarge", 3),
                        new NodeGroup("flink", "c5.4xlarge", 2),
                        new NodeGroup("load", "c5.4xlarge", 2))
                .hasSize(5);
    }

    @Test
    @DisplayName("six broker nodes halve what each has, and nothing else changes")
    void sixNodes() {
        Derivation three = of(1_000_000, 3);
        Derivation six = of(1_000_000, 6);
        assertThat(six.brokerShare()).isCloseTo(three.brokerShare() / 2, within(1e-9));
        assertThat(six.networkBytesPerSecond()).isEqualTo(200_000_000);
        assertThat(six.diskBytesPerHour()).isEqualTo(540_000_000_000L);
        assertThat(six.parallelism()).isEqualTo(three.parallelism());
        assertThat(six.partitions()).isEqualTo(96);
        assertThat(six.groups()).contains(new NodeGroup("broker", "i7i.8xlarge", 6));
    }

    @Test
    @DisplayName("a million on six nodes by the rates of this clone is what a person calculates from the file")
    void ofThisClone() {
        List<MeasuredRates> all = SizingFile.read(Installation.here().root().resolve(SizingFile.PLACE))
                .brokers();
        assertThat(all).hasSizeGreaterThan(1);
        assertThat(all).allSatisfy(rates -> {
            PerCore perCore = rates.readingsPerSecondPerCore();
            Derivation derived = Derivation.of(SizeRequest.checked("c5-i7i", "1000000", "6", "0.6"), rates);
            double slots = 1_000_000 / 0.6 / perCore.job() / 15 * 16;
            int parallelism = slots <= 16 ? 16 : slots <= 32 ? 32 : slots <= 64 ? 64 : 128;
            assertThat(derived.parallelism()).isEqualTo(parallelism);
            assertThat(derived.taskManagers()).isEqualTo(parallelism / 16);
            assertThat(derived.partitions()).isEqualTo(3 * parallelism);
            assertThat(derived.generators()).isEqualTo((int) Math.ceil(1_000_000 / 0.6 / perCore.generator() / 14));
            assertThat(derived.brokerShare()).isCloseTo(3_000_000.0 / perCore.broker() / 168, within(1e-9));
        });
    }

    @ParameterizedTest
    @CsvSource({"1, 3", "10000, 3", "10000, 6", "499999, 3", "777777, 6", "1000000, 3", "2000000, 6", "2600000, 6"})
    @DisplayName(
            "whatever the rate, slots are full, key groups and partitions are dealt evenly, and no part is over its share")
    void always(long rate, int nodes) {
        Derivation derived = of(rate, nodes);
        assertThat(128 % derived.parallelism()).isZero();
        assertThat(derived.parallelism()).isEqualTo(derived.taskManagers() * 16);
        assertThat(derived.partitions() % derived.parallelism()).isZero();
        assertThat(derived.partitions() % nodes).isZero();
        assertThat(derived.partitions()).isGreaterThanOrEqualTo(2 * derived.parallelism());
        assertThat(List.of(derived.jobShare(), derived.brokerShare(), derived.generatorShare()))
                .allSatisfy(share -> assertThat(share).isBetween(0.0, 0.6));
        double hour = (double) rate * 300 * 3600;
        double kept = (double) derived.retentionBytesPerPartition() * derived.partitions();
        double least = derived.partitions() * (double) (1L << 30);
        assertThat(kept).isBetween(2 * hour, Math.max(least, 2 * hour + derived.partitions() * (double) (1L << 20)));
    }

    @Test
    @DisplayName("each line has its formula with the figures in it")
    void formulas() {
        assertThat(of(1_000_000, 3).steps())
                .extracting(Derivation.Step::toString)
                .contains(
                        "cores for the job 27.78 = 1,000,000 readings/s / (0.6 x 60,000 readings/s per core)",
                        "parallelism 32 = the least of 16, 32, 64, 128 that is ceil(27.78 cores x 16 slots / 15 cpu of a"
                                + " TaskManager) = 30 or more",
                        "TaskManagers 2 = 32 / 16 slots, one on each c5.4xlarge",
                        "generator pods 2 = ceil(16.67 cores / 14 cpu of a pod), one on each c5.4xlarge",
                        "CPU of the brokers 44.6 % = 1,000,000 x 3 replicas / 80,000 per core / (3 x 28 cpu)",
                        "disk of a broker node 1,005.8 GiB in an hour = 1,000,000 readings/s x 300 bytes x 3,600 s x 3"
                                + " replicas / 3 nodes, uncompressed");
    }

    @Test
    @DisplayName("there are as many generators as the devices take, also where fewer would have the cores")
    void devicesOfOne() {
        Derivation derived = Derivation.of(SizeRequest.checked("c5-i7i", "1200000", "6", "0.9"), Rates.NORTH);
        assertThat(derived.devices()).isEqualTo(1_200_000);
        assertThat(derived.generators()).isEqualTo(2);
        assertThat(derived.steps())
                .extracting(Derivation.Step::toString)
                .contains(
                        "generator pods 2 = ceil(1,200,000 devices / 1,000,000 that one can be), one on each c5.4xlarge");
    }

    @Test
    @DisplayName("where no broker node is beyond the replicas, that is said")
    void noSpareNode() {
        assertThat(of(1_000_000, 3).caveats()).anyMatch(caveat -> caveat.contains("while one of the 3 is away"));
        assertThat(of(1_000_000, 6).caveats()).noneMatch(caveat -> caveat.contains("is away"));
    }

    @Test
    @DisplayName("it says on what the rates were measured, and what is not in them")
    void caveats() {
        assertThat(String.join(" ", of(1_000_000, 3).caveats()))
                .contains("measured on 2 cores of Model 7, 15990 MiB, Linux 6.1, not on i7i.8xlarge and c5.4xlarge")
                .contains("TLS", "1 replica", "300 bytes", "lz4", "15,625 devices on 1 subtask.")
                .contains("Each of 2 generators has devices and a ledger of its own");
        assertThat(of(100_000, 3).caveats()).noneMatch(caveat -> caveat.contains("ledger"));
    }

    @Test
    @DisplayName("brokers that cannot carry it are refused, by CPU and by disk at once, with the nodes that would")
    void sixWouldCarryIt() {
        assertThatThrownBy(() -> of(2_000_000, 3))
                .isInstanceOf(UserException.class)
                .hasMessage(
                        "north: the brokers cannot carry 2,000,000 readings/s: 89.3 % of the cores of 3 nodes would be used, and it may"
                                + " be 60.0 %; --broker-nodes 6 would carry it, at 44.6 %\n"
                                + "north: the brokers' disks cannot keep an hour of 2,000,000 readings/s: 118.3 % of a disk would be"
                                + " full on 3 nodes, and it may be 80.0 %; --broker-nodes 6 would carry it, at 59.2 %");
    }

    @Test
    @DisplayName("beyond the greatest number of nodes the rate is named that they carry")
    void beyond() {
        assertThatThrownBy(() -> of(3_000_000, 6))
                .hasMessageContaining("the brokers cannot carry 3,000,000 readings/s: 67.0 %")
                .hasMessageContaining("; 6 nodes carry 2,688,000 readings/s");
        assertThat(of(2_688_000, 6).brokerShare()).isCloseTo(0.6, within(1e-9));
    }

    @Test
    @DisplayName("the rate that is named for disks is one that these disks take")
    void disksTakeTheNamedRate() {
        assertThatThrownBy(() -> of(3_500_000, "0.9"))
                .hasMessageContaining("the brokers' disks cannot keep an hour of 3,500,000 readings/s")
                .satisfies(e -> {
                    Matcher named = Pattern.compile("; 6 nodes carry ([0-9,]+) readings/s")
                            .matcher(e.getMessage());
                    assertThat(named.find()).isTrue();
                    long rate = Long.parseLong(named.group(1).replace(",", ""));
                    assertThat(of(rate, "0.9").request().rate()).isEqualTo(rate);
                    assertThatThrownBy(() -> of(rate + 6, "0.9")).hasMessageContaining("the brokers' disks");
                });
    }

    private static Derivation of(long rate, String utilisation) {
        return Derivation.of(SizeRequest.checked("c5-i7i", Long.toString(rate), "6", utilisation), Rates.NORTH);
    }

    @Test
    @DisplayName("a job beyond its key groups is refused with the rate that it carries")
    void keyGroups() {
        assertThatThrownBy(() -> of(5_000_000, 6))
                .hasMessageContaining(
                        "the job cannot carry 5,000,000 readings/s: it would take 149 subtasks, and its 128 key"
                                + " groups are for 128; by these rates it carries 4,320,000 readings/s");
    }

    @Test
    @DisplayName("bad input is a line for each, all at once")
    void badInput() {
        assertThatThrownBy(() -> SizeRequest.checked("c5-i7", "0", "4", "60"))
                .isInstanceOf(UserException.class)
                .satisfies(e -> assertThat(e.getMessage().lines())
                        .satisfiesExactly(
                                line -> assertThat(line)
                                        .isEqualTo(
                                                "--size: there is no size 'c5-i7' that a rate can be derived for; did you"
                                                        + " mean 'c5-i7i'?; there are: c5-i7i"),
                                line -> assertThat(line)
                                        .isEqualTo("--rate: '0' must be a whole number of readings per second from 1 to"
                                                + " 1000000000, such as 1000000"),
                                line -> assertThat(line)
                                        .isEqualTo(
                                                "--broker-nodes: '4' must be 3, or 6, which is the published platform; each"
                                                        + " divides among three replicas"),
                                line -> assertThat(line).startsWith("--utilisation: '60' must be a share")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-5", "1e6", "fast", "", "1.5", "99999999999", "1000000001"})
    @DisplayName("a rate is a whole number above 0")
    void badRates(String rate) {
        assertThatThrownBy(() -> SizeRequest.checked("c5-i7i", rate, "3", "0.6"))
                .isInstanceOf(UserException.class)
                .hasMessageStartingWith("--rate: '" + rate + "' must be");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "0.0", "1.1", "-0.5", "half", ""})
    @DisplayName("a utilisation is a share above 0")
    void badShares(String share) {
        assertThatThrownBy(() -> SizeRequest.checked("c5-i7i", "1000", "3", share))
                .isInstanceOf(UserException.class)
                .hasMessageStartingWith("--utilisation: '" + share + "' must be");
    }
}
