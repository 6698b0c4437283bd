package dev.millrace.core.reading;

/** A device's state as its reading reports it; the order is the schema's, {@link #ordinal()} is what travels. */
public enum Status {
    ONLINE,
    OFFLINE,
    MAINTENANCE,
    ERROR;

    /** How many states there are. */
    public static final int COUNT = 4;

    /** The ordinal of the state with that name, -1 when there is none. */
    static int ordinalOf(String name) {
        for (Status status : values()) {
            if (status.name().equals(name)) {
                return status.ordinal();
            }
        }
        return -1;
    }
}
