package dev.millrace.deploy.price;

import java.math.BigDecimal;
import java.time.LocalDate;

/**
 * What one instance costs.
 *
 * @param type family and size, such as {@code c5.2xlarge}
 * @param usdPerHour above 0, as its source has it, but for zeros at the end
 * @param region of the provider, such as {@code us-east-1}
 * @param terms how it is bought, such as {@code on-demand}
 * @param date when the source had it
 * @param source where it is from, for people to look it up
 */
public record Price(
        String type,
        BigDecimal usdPerHour,
        String region,
        String operatingSystem,
        String terms,
        LocalDate date,
        String source) {

    /** The price with all that it holds for, its date and its source, in a line. */
    public String text() {
        return usdPerHour.toPlainString() + " USD per hour (" + region + ", " + operatingSystem + ", " + terms + "), "
                + date + ", " + source;
    }
}
