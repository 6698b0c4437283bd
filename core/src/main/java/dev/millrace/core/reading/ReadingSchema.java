package dev.millrace.core.reading;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import org.apache.avro.Schema;

/** The schema of a reading, from {@code Reading.avsc}. */
public final class ReadingSchema {
    private static final Schema SCHEMA = load();

    private ReadingSchema() {}

    /** The parsed schema; shared, read only. */
    public static Schema get() {
        return SCHEMA;
    }

    private static Schema load() {
        try (InputStream in = ReadingSchema.class.getResourceAsStream("Reading.avsc")) {
            return new Schema.Parser().parse(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
