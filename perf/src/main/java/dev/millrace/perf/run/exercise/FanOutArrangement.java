package dev.millrace.perf.run.exercise;

/** How several applications get the same readings, in the order in which a run tries it. */
enum FanOutArrangement {
    GROUPS("groups", "%d groups on one topic", false, false, false),
    SLOW_GROUP("slowGroup", "%d groups on one topic, one of them slow", true, false, false),
    WAITING_COMMITS("waitingCommits", "%d groups on one topic that wait for each commit", false, true, false),
    COPIES("copies", "%d copied topics with one group each", false, false, true);

    private final String key;
    private final String title;
    private final boolean hasSlowGroup;
    private final boolean waits;
    private final boolean copies;

    FanOutArrangement(String key, String title, boolean hasSlowGroup, boolean waits, boolean copies) {
        this.key = key;
        this.title = title;
        this.hasSlowGroup = hasSlowGroup;
        this.waits = waits;
        this.copies = copies;
    }

    /** Its name in evidence. */
    String key() {
        return key;
    }

    /** Its name for people. */
    String title(int groups) {
        return String.format(title, groups);
    }

    /** Whether the last group may read only a part of the readings. */
    boolean hasSlowGroup() {
        return hasSlowGroup;
    }

    /** Whether groups wait for the broker when they commit. */
    boolean waits() {
        return waits;
    }

    /** Whether the topic is copied for each group. */
    boolean copies() {
        return copies;
    }
}
