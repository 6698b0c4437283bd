package dev.millrace.perf.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.deploy.price.Prices;
import dev.millrace.perf.result.Figure;
import dev.millrace.perf.result.Run;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CostTest {
    @TempDir
    Path folder;

    @BeforeEach
    void twoPrices() {
        PriceText.file(
                folder,
                "a.csv",
                PriceText.row("i7i.2xlarge", "0.755000", "2026-07-20"),
                PriceText.row("c5.2xlarge", "0.340000", "2026-07-20"));
    }

    private Cost cost(String instances) {
        List<String> problems = new ArrayList<>();
        Cost cost = Cost.of(Instances.parse(instances, List.of(), problems), Prices.in(folder));
        assertThat(problems).isEmpty();
        return cost;
    }

    private static Run run(Map<Figure, Double> figures) {
        return new Run(
                "1", "north", 1, "", List.of(), figures, List.of(), "", true, Map.of(), Map.of(), List.of(), "",
                List.of());
    }

    /** 3 * 0.755 + 2 * 0.34 = 2.945 USD for an hour, in which 72,000,000 readings are 0.072 of 10^9: 2.945 / 0.072. */
    @Test
    void anHoursPriceIsSharedAmongTheReadingsOfAnHour() {
        Cost cost = cost("broker=i7i.2xlarge*3,clients=c5.2xlarge*2");
        assertThat(cost.settings().get(Cost.USD_PER_HOUR)).isEqualTo("2.945");
        Run run = cost.in(run(Map.of(Figure.ACCEPTED_RATE, 20_000.0, Figure.LAG_MAX, 7.0)));
        assertThat(run.figures()).hasSize(3).containsEntry(Figure.LAG_MAX, 7.0);
        assertThat(run.figures().get(Figure.COST)).isCloseTo(40.902_777_8, within(1e-6));
    }

    @Test
    void twiceTheRateOnTheSameInstancesIsHalfTheCost() {
        Cost cost = cost("all=c5.2xlarge");
        double one = cost.in(run(Map.of(Figure.ACCEPTED_RATE, 1e4))).figures().get(Figure.COST);
        double two = cost.in(run(Map.of(Figure.ACCEPTED_RATE, 2e4))).figures().get(Figure.COST);
        assertThat(one).isCloseTo(2 * two, within(1e-9));
    }

    @Test
    void everyPriceIsInTheSettingsWithItsSourceAndDate() {
        Map<String, String> settings =
                cost("broker=i7i.2xlarge*3,clients=c5.2xlarge*2").settings();
        assertThat(settings).containsEntry(Cost.INSTANCES, "broker=i7i.2xlarge*3,clients=c5.2xlarge*2");
        assertThat(Cost.prices(settings))
                .containsExactly(
                        Map.entry(
                                "c5.2xlarge",
                                "0.34 USD per hour (somewhere-1, Linux, on-demand), 2026-07-20, price list of somewhere"),
                        Map.entry(
                                "i7i.2xlarge",
                                "0.755 USD per hour (somewhere-1, Linux, on-demand), 2026-07-20, price list of somewhere"));
        assertThat(settings.keySet()).filteredOn(key -> !Cost.isPrice(key)).containsExactly(Cost.INSTANCES);
    }

    @Test
    void aTypeWithoutAPriceLeavesNoCostAndIsNamed() {
        Cost cost = cost("broker=i7i.xlarge*3,clients=c5.2xlarge*2");
        assertThat(cost.isKnown()).isFalse();
        assertThat(cost.settings())
                .doesNotContainKey(Cost.USD_PER_HOUR)
                .containsEntry("price of i7i.xlarge", "no price");
        assertThat(Cost.withoutPrice(cost.settings())).containsExactly("i7i.xlarge");
        Run run = run(Map.of(Figure.ACCEPTED_RATE, 1e4));
        assertThat(cost.in(run)).isSameAs(run);
    }

    @Test
    void withoutInstancesOrWithoutARateARunHasNoCost() {
        Run run = run(Map.of(Figure.ACCEPTED_RATE, 1e4));
        assertThat(Cost.unknown().in(run)).isSameAs(run);
        assertThat(Cost.unknown().settings()).isEmpty();
        for (Map<Figure, Double> figures : List.<Map<Figure, Double>>of(
                Map.of(), Map.of(Figure.ACCEPTED_RATE, 0.0), Map.of(Figure.ACCEPTED_RATE, Double.NaN))) {
            assertThat(cost("all=c5.2xlarge").in(run(figures)).figures()).doesNotContainKey(Figure.COST);
        }
    }
}
