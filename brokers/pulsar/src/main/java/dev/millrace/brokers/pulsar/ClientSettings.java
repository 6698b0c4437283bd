package dev.millrace.brokers.pulsar;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The settings that Pulsar's clients know, read from the classes that hold them: a word of text becomes a value of the type. */
final class ClientSettings {
    private ClientSettings() {}

    /** The names of all settings that can be written as text. */
    static Set<String> names(Class<?> type) {
        return fields(type).keySet();
    }

    private static Map<String, Class<?>> fields(Class<?> type) {
        Map<String, Class<?>> fields = new TreeMap<>();
        for (Field field : type.getDeclaredFields()) {
            if (!Modifier.isStatic(field.getModifiers())
                    && !Modifier.isTransient(field.getModifiers())
                    && isText(field)) {
                fields.put(field.getName(), field.getType());
            }
        }
        return fields;
    }

    private static boolean isText(Field field) {
        Class<?> type = field.getType();
        return type == String.class
                || type == int.class
                || type == long.class
                || type == boolean.class
                || type.isEnum()
                || field.getGenericType().getTypeName().equals("java.util.Set<java.lang.String>");
    }

    /** What is wrong with a known setting's value. */
    static Optional<String> problem(Class<?> type, String name, String value) {
        Class<?> wanted = fields(type).get(name);
        try {
            value(wanted, value);
            return Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.of("'" + value + "' is not "
                    + (wanted.isEnum()
                            ? "one of " + Arrays.toString(wanted.getEnumConstants())
                            : wanted == boolean.class ? "true or false" : "a whole number"));
        }
    }

    /** What a builder's {@code loadConf} takes. */
    static Map<String, Object> typed(Class<?> type, Map<String, String> settings) {
        Map<String, Class<?>> fields = fields(type);
        Map<String, Object> typed = new HashMap<>();
        settings.forEach((name, text) -> typed.put(name, value(fields.get(name), text)));
        return typed;
    }

    private static Object value(Class<?> type, String text) {
        if (type == int.class) {
            return Integer.valueOf(text);
        }
        if (type == long.class) {
            return Long.valueOf(text);
        }
        if (type == boolean.class) {
            if (!text.equals("true") && !text.equals("false")) {
                throw new IllegalArgumentException(text);
            }
            return Boolean.valueOf(text);
        }
        if (type.isEnum()) {
            return Arrays.stream(type.getEnumConstants())
                    .filter(constant -> constant.toString().equalsIgnoreCase(text))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException(text));
        }
        return type == Set.class ? new TreeSet<>(Arrays.asList(text.split(","))) : text;
    }
}
