package dev.millrace.perf.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.local.Installation;
import dev.millrace.deploy.price.Price;
import dev.millrace.deploy.price.Prices;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PricesTest {
    @TempDir
    Path folder;

    /** All of the message, a line for each problem. */
    private void refused(String... lines) {
        assertThatThrownBy(() -> Prices.in(folder))
                .isInstanceOf(UserException.class)
                .hasMessage(Arrays.stream(lines)
                        .map(line -> folder.resolve(line).toString())
                        .collect(Collectors.joining("\n")));
    }

    @Test
    void theFilesOfThisRepositoryAreRight() {
        Prices prices = Prices.in(Installation.here().root().resolve("deploy/infrastructure/prices"));
        for (String family : new String[] {"c5", "i7i", "i3en", "r6id"}) {
            assertThat(prices.types()).anyMatch(type -> type.startsWith(family + "."));
        }
        assertThat(prices.of("c5.2xlarge").orElseThrow().text())
                .startsWith("0.34 USD per hour (us-east-1, Linux, on-demand), 2026-07-20, ");
    }

    @Test
    void columnsMayStandInAnyOrder() {
        PriceText.text(
                folder,
                "a.csv",
                "date,source,price_per_hour,instance_type,terms,region,operating_system,currency\n"
                        + "2026-07-20, a list ,1.510100,i7i.4xlarge,on-demand,somewhere-1,Linux,USD\n");
        Price price = Prices.in(folder).of("i7i.4xlarge").orElseThrow();
        assertThat(price.usdPerHour()).isEqualByComparingTo("1.5101");
        assertThat(price.date()).isEqualTo(LocalDate.of(2026, 7, 20));
        assertThat(price.text()).isEqualTo("1.5101 USD per hour (somewhere-1, Linux, on-demand), 2026-07-20, a list");
    }

    @Test
    void theNewestDateWinsInWhateverFileItIs() {
        PriceText.file(folder, "a.csv", PriceText.row("c5.large", "3", "2026-07-20"));
        PriceText.file(
                folder,
                "b.csv",
                PriceText.row("c5.large", "1", "2025-12-31"),
                PriceText.row("c5.xlarge", "2", "2025-12-31"));
        Prices prices = Prices.in(folder);
        assertThat(prices.types()).containsExactly("c5.large", "c5.xlarge");
        assertThat(prices.of("c5.large").orElseThrow().usdPerHour()).isEqualByComparingTo("3");
        assertThat(prices.of("c5.xlarge").orElseThrow().date()).isEqualTo("2025-12-31");
    }

    @Test
    void whatIsInNoFileHasNoPrice() throws IOException {
        assertThat(Prices.in(folder.resolve("nowhere")).types()).isEmpty();
        Files.writeString(folder.resolve("notes.md"), "not a price file");
        assertThat(Prices.in(folder).of("c5.large")).isEmpty();
    }

    @Test
    void everyMistakeOfEveryFileIsALineWithFileAndLine() {
        PriceText.file(
                folder,
                "a.csv",
                "c5,cheap,EUR,,Linux,on-demand,20.07.2026,",
                PriceText.row("c5.large", "0.0", "2026-02-30"),
                PriceText.row("c5.large", "-1", "2026-07-20"),
                "c5.large,1",
                "",
                PriceText.row("c5.large", "1", "2026-07-20").replace(",price list", ",\"price list\""));
        PriceText.text(folder, "b.csv", "instance_type,price,currency,sorce,date,date\n");
        PriceText.text(folder, "c.csv", "");
        refused(
                "a.csv:2: instance_type is 'c5'; it must be family and size, such as c5.2xlarge",
                "a.csv:2: price_per_hour is 'cheap'; it must be a number above 0 such as 0.34",
                "a.csv:2: currency is 'EUR'; it must be USD, the currency of all figures",
                "a.csv:2: region is empty; it must be a text without quotes",
                "a.csv:2: date is '20.07.2026'; it must be the day on which the source had the price, such as 2026-07-20",
                "a.csv:2: source is empty; it must be where the price is from, without quotes; without a source it is no"
                        + " price",
                "a.csv:3: price_per_hour is '0.0'; it must be a number above 0 such as 0.34",
                "a.csv:3: date is '2026-02-30'; it must be the day on which the source had the price, such as 2026-07-20",
                "a.csv:4: price_per_hour is '-1'; it must be a number above 0 such as 0.34",
                "a.csv:5: the line has 2 cells; it must have 8, with a comma between two and none in one",
                "a.csv:6: the line has 1 cell; it must have 8, with a comma between two and none in one",
                "a.csv:7: source is '\"price list\" of somewhere'; it must be where the price is from, without quotes;"
                        + " without a source it is no price",
                "b.csv:1: unknown column 'price'; known are " + String.join(", ", Prices.COLUMNS),
                "b.csv:1: unknown column 'sorce'. Did you mean 'source'?",
                "b.csv:1: column date is there twice; leave one",
                "b.csv:1: column price_per_hour is missing",
                "b.csv:1: column region is missing",
                "b.csv:1: column operating_system is missing",
                "b.csv:1: column terms is missing",
                "b.csv:1: column source is missing",
                "c.csv:1: the file is empty; it must begin with " + PriceText.HEAD);
    }

    @Test
    void twoPricesOfOneTypeAndDateAreRefusedEvenWhenTheyAreEqual() {
        PriceText.file(folder, "a.csv", PriceText.row("c5.large", "1", "2026-07-20"));
        PriceText.file(folder, "b.csv", PriceText.row("c5.large", "1.0", "2026-07-20"));
        refused("b.csv:2: c5.large has a price of 2026-07-20 already, in " + folder.resolve("a.csv") + ":2; leave one");
    }

    @Test
    void pricesOfTwoRegionsAreRefusedAsATypeIsNamedWithoutOne() {
        PriceText.file(
                folder,
                "a.csv",
                PriceText.row("c5.large", "1", "2026-07-20"),
                PriceText.row("c5.xlarge", "1", "2026-07-20").replace("somewhere-1", "elsewhere-2"));
        refused("a.csv:3: this price is of elsewhere-2 Linux on-demand, that in " + folder.resolve("a.csv")
                + ":2 of somewhere-1 Linux on-demand; all must be of one region, operating system and terms, as"
                + " instances are named without");
    }

    @Test
    void whatIsNoTextIsASentence() throws IOException {
        Files.write(folder.resolve("a.csv"), "caf\u00e9".getBytes(StandardCharsets.ISO_8859_1));
        refused("a.csv: this is no text in UTF-8");
    }
}
