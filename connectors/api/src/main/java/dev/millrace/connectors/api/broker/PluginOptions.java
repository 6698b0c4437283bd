package dev.millrace.connectors.api.broker;

import dev.millrace.core.settings.Options;
import dev.millrace.core.settings.Suggestion;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What every plugin reads in the same way: its address, its tuning profile, and settings handed on to its client. */
public final class PluginOptions {
    private static final Set<String> OF_LOCAL_SERVER = Set.of("advertised-port", "inner-port", "memory", "port");

    private PluginOptions() {}

    /**
     * The option {@code address}: {@code HOST:PORT}, several separated by commas.
     *
     * @param required whether it must be there; where only a local server is started it may be empty
     */
    public static String address(Options.Binder binder, boolean required, int wellKnownPort) {
        String right = "it must be HOST:PORT, such as 127.0.0.1:" + wellKnownPort;
        String address = required ? binder.required("address", right) : binder.string("address", "");
        if (!address.isEmpty() && !isAddress(address)) {
            binder.problem("'address' is '" + address + "'; " + right + " (several separated by commas)");
        }
        return address;
    }

    /**
     * A second port of a local server, for clients behind a proxy or a port forward.
     *
     * @param port on which the server listens, too; 0 for none
     * @param advertisedPort what those who come in there are told to go to
     */
    public record Inner(int port, int advertisedPort) implements Serializable {
        public boolean isThere() {
            return port > 0;
        }
    }

    /** The options {@code inner-port} and {@code advertised-port}, for brokers that tell their clients where to go. */
    public static Inner inner(Options.Binder binder) {
        Inner inner = new Inner(
                (int) binder.integer("inner-port", 0, 1, 65535), (int) binder.integer("advertised-port", 0, 1, 65535));
        if ((inner.port == 0) != (inner.advertisedPort == 0)) {
            binder.problem(
                    "'inner-port' and 'advertised-port' belong together: on the one the server listens, the other"
                            + " is what it tells those who come in there");
        }
        return inner;
    }

    private static boolean isAddress(String address) {
        for (String one : address.split(",", -1)) {
            if (!one.matches("(\\[[0-9a-fA-F:]+\\]|[A-Za-z0-9._-]+):\\d{1,5}")
                    || Integer.parseInt(one.substring(one.lastIndexOf(':') + 1)) > 65535) {
                return false;
            }
        }
        return true;
    }

    /** The keys and values of a tuning profile, as they stand in its file {@code tuning/NAME.properties} beside the plugin. */
    public static Options profile(Class<?> plugin, Enum<?> tuning) {
        String file = "tuning/" + tuning.name().toLowerCase(Locale.ROOT) + ".properties";
        try (InputStream stream = plugin.getResourceAsStream(file)) {
            Properties properties = new Properties();
            properties.load(stream);
            Map<String, String> values = new HashMap<>();
            properties.stringPropertyNames().forEach(key -> values.put(key, properties.getProperty(key)));
            return Options.of(values);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The options below {@code prefix}, by the client's own names. A name it does not know, one that the plugin sets itself and
     * a value it does not take are problems.
     *
     * @param whose the client, for the message: "producer of the broker"
     * @param check what is wrong with the value of a known key, if anything
     */
    public static Map<String, String> passedOn(
            Options options,
            Options.Binder binder,
            String prefix,
            String whose,
            Set<String> known,
            Set<String> fixed,
            BiFunction<String, String, Optional<String>> check) {
        Map<String, String> given = new TreeMap<>();
        options.under(prefix).asMap().forEach((key, value) -> {
            given.put(key, binder.string(prefix + key, value));
            if (fixed.contains(key)) {
                binder.problem("'" + prefix + key + "' is the plugin's own to set; leave it out");
            } else if (!known.contains(key)) {
                binder.problem("unknown key '" + prefix + key + "'"
                        + Suggestion.nearest(key, known)
                                .map(near -> ". Did you mean '" + prefix + near + "'?")
                                .orElse("; " + whose + " has no such setting"));
            } else {
                check.apply(key, value).ifPresent(problem -> binder.problem(prefix + key + ": " + problem));
            }
        });
        return given;
    }

    /**
     * What {@link Broker#ofLocalServer} answers of the options that are read here, and of {@code server.*}.
     *
     * @param tunings profiles whose promise only the server can keep
     */
    public static List<String> ofLocalServer(Options options, Enum<?>... tunings) {
        Set<String> kept = Stream.of(tunings)
                .map(tuning -> "tuning=" + tuning.name().toLowerCase(Locale.ROOT))
                .collect(Collectors.toSet());
        return options.asMap().entrySet().stream()
                .map(option -> option.getKey().equals("tuning")
                        ? "tuning=" + option.getValue().trim()
                        : option.getKey())
                .filter(option ->
                        OF_LOCAL_SERVER.contains(option) || option.startsWith("server.") || kept.contains(option))
                .toList();
    }
}
