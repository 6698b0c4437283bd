package dev.millrace.connectors.api.lint;

import dev.millrace.core.settings.Suggestion;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * All that may be in one kind of file. Immutable.
 *
 * @param of whose settings they are, with the version: "Example 1.2.3"
 * @param settings by key
 * @param openPrefixes beginnings of keys whose rest a person makes up, or that are read by code which is not here
 * @param advice what is known of settings beyond what their server says
 */
public record KnownSettings(
        String of, Map<String, KnownSetting> settings, List<String> openPrefixes, List<Advice> advice) {
    public KnownSettings {
        settings = new TreeMap<>(settings);
        openPrefixes = List.copyOf(openPrefixes);
        advice = List.copyOf(advice);
    }

    /** The setting of that name; none also for a key with an open prefix. */
    public Optional<KnownSetting> find(String key) {
        return Optional.ofNullable(settings.get(key));
    }

    /** Whether the key may be there: it exists, or what it begins with is open. */
    public boolean allows(String key) {
        return settings.containsKey(key) || openPrefixes.stream().anyMatch(key::startsWith);
    }

    /** What was probably meant by a key that is not there. */
    Optional<String> nearest(String key) {
        return Suggestion.nearest(key, settings.keySet());
    }
}
