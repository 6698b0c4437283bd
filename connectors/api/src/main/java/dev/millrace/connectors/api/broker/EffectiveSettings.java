package dev.millrace.connectors.api.broker;

import java.util.Map;

/**
 * Settings as read back from the live broker, never as they were asked for.
 *
 * @param acks when a send counts as stored, in the broker's own words
 * @param fsync when data is forced to disk, in the broker's own words
 * @param others whatever else matters for a comparison, by the broker's own key
 */
public record EffectiveSettings(
        String serverVersion, int replicas, String acks, String fsync, Map<String, String> others) {
    public EffectiveSettings {
        others = Map.copyOf(others);
    }
}
