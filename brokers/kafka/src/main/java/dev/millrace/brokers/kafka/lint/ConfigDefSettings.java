package dev.millrace.brokers.kafka.lint;

import dev.millrace.connectors.api.lint.Deprecation;
import dev.millrace.connectors.api.lint.KnownSetting;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** The settings of a {@code ConfigDef}, which may be that of another version than this plugin's: so by reflection. */
final class ConfigDefSettings {
    /** How the description of such a setting begins; a mere mention of the word is about another one. */
    private static final Pattern DEPRECATED = Pattern.compile(
            "\\W*(this (configuration|config|property) (is|has been) )?deprecated\\b.*",
            Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    private ConfigDefSettings() {}

    static Map<String, KnownSetting> of(Object definition) throws ReflectiveOperationException {
        Class<?> type = definition.getClass();
        while (!type.getSimpleName().equals("ConfigDef")) {
            // A topic's settings are of a class of their own.
            type = type.getSuperclass();
        }
        Map<?, ?> keys = (Map<?, ?>) type.getMethod("configKeys").invoke(definition);
        Map<String, KnownSetting> settings = new TreeMap<>();
        for (Object key : keys.values()) {
            String description = String.valueOf(field(key, "documentation"));
            Optional<Deprecation> deprecation = DEPRECATED.matcher(description).matches()
                    ? Optional.of(new Deprecation(Optional.empty()))
                    : Optional.empty();
            settings.put(
                    String.valueOf(field(key, "name")), new KnownSetting(new ConfigKeyRule(type, key), deprecation));
        }
        return settings;
    }

    static Object field(Object key, String name) throws ReflectiveOperationException {
        return key.getClass().getField(name).get(key);
    }
}
