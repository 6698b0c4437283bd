package dev.millrace.connectors.api.broker;

import java.util.Map;

/**
 * Settings as read back from the live broker, never as they were asked for.
 *
 * @param acks when a send counts as stored, in the broker's own words
 * @param sync whether an acknowledgement waits for the disk
 * @param fsync when data is forced to disk, in the broker's own words
 * @param others whatever else matters for a comparison, by the broker's own key
 */
public record EffectiveSettings(
        String serverVersion, int replicas, String acks, Sync sync, String fsync, Map<String, String> others) {
    /** When data is forced to disk, seen from whoever waits for an acknowledgement. */
    public enum Sync {
        BEFORE_ACKNOWLEDGEMENT,
        /** Or never. */
        LATER,
        /** The broker does not tell. */
        UNKNOWN
    }

    public EffectiveSettings {
        others = Map.copyOf(others);
    }
}
