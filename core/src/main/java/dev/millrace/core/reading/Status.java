package dev.millrace.core.reading;

/** A device's state as its reading reports it; the order is the schema's, {@link #ordinal()} is what travels. */
public enum Status {
    ONLINE,
    OFFLINE,
    MAINTENANCE,
    ERROR;

    /** How many states there are. */
    public static final int COUNT = 4;
}
