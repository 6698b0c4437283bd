package dev.millrace.deploy.kubernetes.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Whoever is compared has the same: cores, memory and disks of all that a broker consists of. */
class EqualBudgetTest {
    private static final Production PRODUCTION = Production.ofClone();
    private static final Percentage SAME = Percentage.withPercentage(1);
    private static final String BROKER_NODES = "broker";

    /** What a broker takes, added up over its pods. */
    private record Budget(long cpuMillis, long memoryBytes, long diskBytes) {
        static Budget of(List<BrokerPods> pods) {
            return new Budget(
                    sum(pods, BrokerPods::cpuMillis),
                    sum(pods, BrokerPods::memoryBytes),
                    sum(pods, BrokerPods::diskBytes));
        }

        private static long sum(List<BrokerPods> pods, ToLongFunction<BrokerPods> one) {
            return pods.stream()
                    .mapToLong(each -> each.replicas() * one.applyAsLong(each))
                    .sum();
        }
    }

    private static Map<String, Budget> budgets(Production production, boolean isAll) {
        Map<String, Budget> budgets = new TreeMap<>();
        for (String broker : production.brokers()) {
            budgets.put(
                    broker,
                    Budget.of(BrokerPods.of(production, broker).stream()
                            .filter(pods -> isAll || pods.role().equals(BROKER_NODES))
                            .toList()));
        }
        return budgets;
    }

    private static void same(Map<String, Budget> budgets) {
        assertThat(budgets).hasSizeGreaterThan(1);
        Budget first = budgets.values().iterator().next();
        assertThat(first.cpuMillis()).isPositive();
        assertThat(first.memoryBytes()).isPositive();
        assertThat(first.diskBytes()).isPositive();
        assertThat(budgets).allSatisfy((broker, budget) -> {
            assertThat(budget.cpuMillis()).as("cpu of " + broker).isCloseTo(first.cpuMillis(), SAME);
            assertThat(budget.memoryBytes()).as("memory of " + broker).isCloseTo(first.memoryBytes(), SAME);
            assertThat(budget.diskBytes()).as("disks of " + broker).isCloseTo(first.diskBytes(), SAME);
        });
    }

    @Test
    @DisplayName("on the brokers' nodes each broker has the same cores, memory and disks, within 1 %")
    void nodes() {
        same(budgets(PRODUCTION, false));
    }

    @Test
    @DisplayName("all parts together, metadata and operators of users and topics too, have the same within 1 %")
    void all() {
        same(budgets(PRODUCTION, true));
    }

    @Test
    @DisplayName("two hundredths more of cores, memory or disk on one of them is seen")
    void seen() {
        Budget budget = budgets(PRODUCTION, false).values().iterator().next();
        List<Budget> others = new ArrayList<>();
        others.add(new Budget(budget.cpuMillis() * 102 / 100, budget.memoryBytes(), budget.diskBytes()));
        others.add(new Budget(budget.cpuMillis(), budget.memoryBytes() * 102 / 100, budget.diskBytes()));
        others.add(new Budget(budget.cpuMillis(), budget.memoryBytes(), budget.diskBytes() / 102 * 100));
        assertThat(others).allSatisfy(other -> assertThat(isSame(budget, other)).isFalse());
        assertThat(isSame(budget, budget)).isTrue();
    }

    private static boolean isSame(Budget one, Budget other) {
        try {
            same(Map.of("one", one, "other", other));
            return true;
        } catch (AssertionError e) {
            return false;
        }
    }

    @Test
    @DisplayName("a pod asks for a whole disk of its node, and what its memory may grow to")
    void room() {
        long disk = 3400L << 30;
        for (String broker : PRODUCTION.brokers()) {
            List<BrokerPods> pods = BrokerPods.of(PRODUCTION, broker).stream()
                    .filter(one -> one.role().equals(BROKER_NODES))
                    .toList();
            assertThat(Budget.of(pods).diskBytes()).isEqualTo(3 * 2 * disk);
            // Of an i7i.8xlarge 31.85 cpu and 244 Gi are left for pods; the cluster's own take some.
            assertThat(Budget.of(pods).cpuMillis() / 3).isCloseTo(28_000, within(3_000L));
            assertThat(Budget.of(pods).memoryBytes() / 3).isLessThan(240L << 30);
        }
    }
}
