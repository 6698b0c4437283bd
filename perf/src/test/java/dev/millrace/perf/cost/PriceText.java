package dev.millrace.perf.cost;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Makes price files. */
public final class PriceText {
    static final String HEAD = "instance_type,price_per_hour,currency,region,operating_system,terms,date,source";

    private PriceText() {}

    /** A row of a price that is right. */
    public static String row(String type, String price, String date) {
        return type + "," + price + ",USD,somewhere-1,Linux,on-demand," + date + ",price list of somewhere";
    }

    /** A file of rows, below the names of the columns. */
    public static Path file(Path folder, String name, String... rows) {
        return text(folder, name, HEAD + "\n" + String.join("\n", rows) + "\n");
    }

    static Path text(Path folder, String name, String text) {
        try {
            return Files.writeString(folder.resolve(name), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
