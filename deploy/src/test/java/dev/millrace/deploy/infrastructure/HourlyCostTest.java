package dev.millrace.deploy.infrastructure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.deploy.price.Prices;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HourlyCostTest {
    private static final List<NodeGroup> GROUPS =
            List.of(new NodeGroup("broker", "i7i.8xlarge", 3), new NodeGroup("flink", "c5.4xlarge", 4));

    @TempDir
    Path folder;

    @BeforeEach
    void twoPrices() throws IOException {
        Files.writeString(
                folder.resolve("prices.csv"),
                """
                instance_type,price_per_hour,currency,region,operating_system,terms,date,source
                i7i.8xlarge,3.02,USD,here-1,Linux,on-demand,2026-07-20,a list
                c5.4xlarge,0.680000,USD,here-1,Linux,on-demand,2026-07-20,a list
                """);
    }

    private HourlyCost cost(List<NodeGroup> groups, String region) {
        return HourlyCost.of(groups, region, Prices.in(folder));
    }

    @Test
    @DisplayName("prices times nodes, to the last digit, and from where they are")
    void sum() {
        HourlyCost cost = cost(GROUPS, "here-1");
        assertThat(cost.sum()).hasValueSatisfying(sum -> assertThat(sum).isEqualByComparingTo(new BigDecimal("11.78")));
        assertThat(cost.sources()).containsExactly("here-1, Linux, on-demand, 2026-07-20, a list");
    }

    @Test
    @DisplayName("a price of another region is none, and with one price missing there is no sum")
    void missing() {
        assertThat(cost(GROUPS, "there-1").sum()).isEmpty();
        assertThat(cost(GROUPS, "there-1").sources()).isEmpty();
        HourlyCost one = cost(List.of(GROUPS.get(0), new NodeGroup("infra", "x1.large", 1)), "here-1");
        assertThat(one.sum()).isEmpty();
        assertThat(one.lines().get(0).usdPerHour()).isPresent();
    }
}
