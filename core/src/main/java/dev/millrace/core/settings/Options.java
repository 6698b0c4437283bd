package dev.millrace.core.settings;

import java.io.IOException;
import java.io.Reader;
import java.io.Serializable;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * Keys and values as a person wrote them. {@link #bind} turns them into a typed value and reports EVERY problem at once;
 * a key that nobody read is an error with a suggestion. Immutable and serializable.
 */
public final class Options implements Serializable {
    private final TreeMap<String, String> values;

    private Options(Map<String, String> values) {
        this.values = new TreeMap<>(values);
    }

    public static Options of(Map<String, String> values) {
        return new Options(values);
    }

    public static Options none() {
        return new Options(Map.of());
    }

    /**
     * What a file of Java's properties says. Throws UserException when it is not there or is no such file, EnvironmentException when
     * it cannot be read.
     */
    public static Options read(Path file) {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            properties.load(reader);
        } catch (NoSuchFileException e) {
            throw new UserException("there is no settings file " + file, e);
        } catch (CharacterCodingException | IllegalArgumentException e) {
            throw new UserException("the settings file " + file + " cannot be read: " + e.getMessage(), e);
        } catch (IOException e) {
            throw new EnvironmentException("cannot read the settings file " + file + ": " + e.getMessage(), e);
        }
        Map<String, String> values = new TreeMap<>();
        properties.stringPropertyNames().forEach(key -> values.put(key, properties.getProperty(key)));
        return new Options(values);
    }

    /** These options with one more, or with another value for one. */
    public Options with(String key, String value) {
        TreeMap<String, String> copy = new TreeMap<>(values);
        copy.put(key, value);
        return new Options(copy);
    }

    /** The options below {@code prefix}, with the prefix taken off. */
    public Options under(String prefix) {
        TreeMap<String, String> below = new TreeMap<>();
        values.forEach((key, value) -> {
            if (key.startsWith(prefix)) {
                below.put(key.substring(prefix.length()), value);
            }
        });
        return new Options(below);
    }

    /** The same but for that key. */
    public Options without(String key) {
        TreeMap<String, String> rest = new TreeMap<>(values);
        rest.remove(key);
        return new Options(rest);
    }

    /** The value as written, without any check. */
    public Optional<String> get(String key) {
        return Optional.ofNullable(values.get(key));
    }

    /** All of it, sorted by key; unmodifiable. */
    public Map<String, String> asMap() {
        return Collections.unmodifiableMap(values);
    }

    /**
     * Binds these options: {@code reading} asks the binder for each key it knows and builds the typed value.
     *
     * @param what what is being configured, for the message: "broker 'x'", "settings file y.properties"
     * @throws UserException one message with one line for each problem
     */
    public <T> T bind(String what, Function<Binder, T> reading) {
        Binder binder = new Binder(this);
        T value;
        try {
            value = reading.apply(binder);
        } catch (RuntimeException e) {
            if (binder.problems.isEmpty()) {
                throw e;
            }
            value = null;
        }
        for (String key : values.keySet()) {
            if (!binder.known.contains(key)) {
                binder.problems.add(unknownKey(key, binder.known));
            }
        }
        if (!binder.problems.isEmpty()) {
            throw new UserException(what + ": " + String.join("; ", binder.problems));
        }
        return value;
    }

    private static String unknownKey(String key, TreeSet<String> known) {
        String hint = Suggestion.nearest(key, known)
                .map(near -> ". Did you mean '" + near + "'?")
                .orElse(known.isEmpty() ? "; it takes none" : "; known are " + String.join(", ", known));
        return "unknown key '" + key + "'" + hint;
    }

    @Override
    public boolean equals(Object object) {
        return object instanceof Options other && values.equals(other.values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    @Override
    public String toString() {
        return values.toString();
    }

    /** Hands out typed values and collects what is wrong with them; a wrong value yields the default. */
    public static final class Binder {
        private final Options options;
        private final TreeSet<String> known = new TreeSet<>();
        private final List<String> problems = new ArrayList<>();

        private Binder(Options options) {
            this.options = options;
        }

        public String string(String key, String defaultValue) {
            known.add(key);
            return options.get(key).orElse(defaultValue);
        }

        /** A value that must be there; the empty string when it is not (the problem is recorded). */
        public String required(String key, String whatWouldBeRight) {
            known.add(key);
            return options.get(key).orElseGet(() -> {
                problems.add("'" + key + "' is missing; " + whatWouldBeRight);
                return "";
            });
        }

        public long integer(String key, long defaultValue, long min, long max) {
            return parsed(key, defaultValue, "a whole number from " + min + " to " + max, text -> {
                long number = Long.parseLong(text.replace("_", ""));
                return number < min || number > max ? null : number;
            });
        }

        public double decimal(String key, double defaultValue, double min, double max) {
            return parsed(key, defaultValue, "a number from " + min + " to " + max, text -> {
                double number = Double.parseDouble(text);
                return number >= min && number <= max ? number : null;
            });
        }

        /** {@code 300ms}, {@code 10s}, {@code 5m}, {@code 24h}, {@code 7d}; a positive duration. */
        public Duration duration(String key, Duration defaultValue) {
            return parsed(key, defaultValue, "a duration such as 300ms, 10s, 5m, 24h or 7d", Values::duration);
        }

        /** {@code 512}, {@code 64KiB}, {@code 1GiB}; bytes. */
        public long bytes(String key, long defaultValue) {
            return parsed(key, defaultValue, "a size such as 64KiB, 512MiB or 1GiB", Values::bytes);
        }

        public boolean flag(String key, boolean defaultValue) {
            return parsed(key, defaultValue, "true or false", text -> switch (text) {
                case "true" -> true;
                case "false" -> false;
                default -> null;
            });
        }

        public <E extends Enum<E>> E oneOf(String key, E defaultValue, Class<E> type) {
            List<String> names = new ArrayList<>();
            for (E constant : type.getEnumConstants()) {
                names.add(word(constant));
            }
            return parsed(key, defaultValue, "one of " + String.join(", ", names), text -> {
                for (E constant : type.getEnumConstants()) {
                    if (word(constant).equals(text)) {
                        return constant;
                    }
                }
                return null;
            });
        }

        /** Records a problem that a single value cannot show, such as two options that exclude each other. */
        public void problem(String sentence) {
            problems.add(sentence);
        }

        private static String word(Enum<?> constant) {
            return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
        }

        private <T> T parsed(String key, T defaultValue, String right, Function<String, T> parse) {
            known.add(key);
            String text = options.values.get(key);
            if (text == null) {
                return defaultValue;
            }
            T value;
            try {
                value = parse.apply(text.trim());
            } catch (IllegalArgumentException e) {
                value = null;
            }
            if (value == null) {
                problems.add("'" + key + "' is '" + text + "'; it must be " + right);
                return defaultValue;
            }
            return value;
        }
    }
}
