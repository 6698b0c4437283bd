package dev.millrace.brokers.kafka.lint;

import dev.millrace.connectors.api.lint.Finding;
import dev.millrace.connectors.api.lint.KnownSettings;
import dev.millrace.connectors.api.lint.PropertiesText;
import dev.millrace.connectors.api.lint.SettingLine;
import dev.millrace.connectors.api.lint.Verdict;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * Which settings of a broker Strimzi's operator writes itself: in {@code spec.kafka.config} it leaves them out, with a warning in its log.
 * Immutable.
 *
 * @param version of Strimzi
 * @param prefixes of keys, in lower case
 * @param exceptions prefixes of those that it hands on all the same
 */
record StrimziSettings(String version, List<String> prefixes, List<String> exceptions) {
    static final String RESOURCE = "strimzi.properties";

    /** A copy of two constants of {@code io.strimzi.api.kafka.model.kafka.KafkaClusterSpec}, which a test holds against that class. */
    static StrimziSettings shipped() {
        try (InputStream in = StrimziSettings.class.getResourceAsStream(RESOURCE)) {
            List<SettingLine> lines = PropertiesText.parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
            return new StrimziSettings(
                    value(lines, "version"),
                    List.of(value(lines, "prefixes").split(", ")),
                    List.of(value(lines, "exceptions").split(", ")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String value(List<SettingLine> lines, String key) {
        return lines.stream()
                .filter(line -> line.key().equals(key))
                .map(SettingLine::value)
                .findFirst()
                .orElseThrow();
    }

    /** Those that ask for something and are not handed on. */
    List<Finding> leftOut(KnownSettings known, List<SettingLine> settings) {
        return settings.stream()
                .filter(line -> isLeftOut(line.key()))
                .filter(line -> known.find(line.key())
                        .filter(setting -> setting.values().isDefault(line.value()))
                        .isEmpty())
                .map(line -> new Finding(
                        line.line(),
                        line.key(),
                        Verdict.INERT,
                        "Strimzi " + version
                                + " sets this itself, out of other fields of its objects, and leaves out what stands here",
                        Optional.empty()))
                .toList();
    }

    private boolean isLeftOut(String key) {
        return prefixes.stream().anyMatch(key::startsWith)
                && exceptions.stream().noneMatch(key::startsWith);
    }
}
