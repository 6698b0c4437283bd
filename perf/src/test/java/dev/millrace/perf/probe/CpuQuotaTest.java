package dev.millrace.perf.probe;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CpuQuotaTest {
    @TempDir
    private Path root;

    private Path group(String path, String... files) throws IOException {
        Path group = Files.createDirectories(root.resolve(path));
        for (int i = 0; i < files.length; i += 2) {
            Files.writeString(group.resolve(files[i]), files[i + 1] + "\n");
        }
        return group;
    }

    @Test
    void theLeastOfAllAroundIsTheOneThatBounds() throws IOException {
        group("");
        group("pods", "cpu.max", "400000 100000", "cpu.stat", "usage_usec 9\nthrottled_usec 7");
        group(
                "pods/one",
                "cpu.max",
                "150000 100000",
                "cpu.stat",
                "usage_usec 5000\nnr_throttled 3\nthrottled_usec 2000");
        group("pods/one/inner", "cpu.max", "max 100000", "cpu.stat", "usage_usec 1");
        assertThat(CpuQuota.in(root, List.of("0::/pods/one/inner"))).contains(new CpuQuota(1.5, 2000, 5000));
        assertThat(CpuQuota.in(root, List.of("0::/pods"))).contains(new CpuQuota(4, 7, 9));
        assertThat(CpuQuota.in(root, List.of("0::/"))).isEmpty();
    }

    @Test
    void inAContainerItsOwnGroupIsTheRoot() throws IOException {
        group(
                "cpu,cpuacct",
                "cpu.cfs_quota_us",
                "200000",
                "cpu.cfs_period_us",
                "100000",
                "cpu.stat",
                "throttled_time 3000000");
        group("cpu,cpuacct", "cpuacct.usage", "4000000");
        List<String> lines = List.of("5:memory:/docker/abc", "4:cpu,cpuacct:/docker/abc", "0::/");
        assertThat(CpuQuota.in(root, lines)).contains(new CpuQuota(2, 3000, 4000));
        group("cpu,cpuacct", "cpu.cfs_quota_us", "-1");
        assertThat(CpuQuota.in(root, lines)).isEmpty();
    }

    @Test
    void whatItHoldsBackIsAsGoodAsStolenAndIdleIsWhatIsLeftOfIt() {
        MachineUse machine = new MachineUse(64_000, 10, 300, 0, 4);
        MachineUse before = machine.within(new CpuQuota(2, 1_000_000, 5_000_000), 10_000_000_000L, 300);
        // A second later: two processor seconds were there, 1.5 were used, and 0.2 were wanted and not had.
        MachineUse after = machine.within(new CpuQuota(2, 1_200_000, 6_500_000), 11_000_000_000L, 430);
        MachineUse between = after.since(before);
        assertThat(between.totalTicks()).isEqualTo(200);
        assertThat(between.busyShare()).isEqualTo(0.75);
        assertThat(between.stolenShare()).isEqualTo(0.1);
        assertThat(between.idleShare()).isEqualTo(0.15);
        // Of the 1.5 this process and its children took 1.3.
        assertThat(between.neighbourShare()).isEqualTo(0.1);
    }
}
