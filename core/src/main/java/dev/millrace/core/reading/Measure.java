package dev.millrace.core.reading;

/** The eight measures of a reading, in the order of the schema; {@link #ordinal()} indexes every array of measures. */
public enum Measure {
    TEMPERATURE("temperature"),
    HUMIDITY("humidity"),
    PRESSURE("pressure"),
    CO2("co2"),
    NOISE("noise"),
    LIGHT("light"),
    BATTERY("battery"),
    SIGNAL_STRENGTH("signalStrength");

    /** How many measures there are. */
    public static final int COUNT = 8;

    private final String field;

    Measure(String field) {
        this.field = field;
    }

    /** The field's name in the Avro schema and the prefix of its columns in a store. */
    public String field() {
        return field;
    }

    /** The ordinal of the measure with that {@link #field()}, -1 when there is none. */
    static int ordinalOf(String field) {
        for (Measure measure : values()) {
            if (measure.field.equals(field)) {
                return measure.ordinal();
            }
        }
        return -1;
    }
}
