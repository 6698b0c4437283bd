package dev.millrace.brokers.pulsar.lint;

import dev.millrace.brokers.pulsar.LocalPulsarFiles;
import dev.millrace.connectors.api.lint.Finding;
import dev.millrace.connectors.api.lint.KnownSettings;
import dev.millrace.connectors.api.lint.SettingLine;
import dev.millrace.connectors.api.lint.SettingsPlace;
import dev.millrace.connectors.api.lint.Verdict;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * How a server gets its settings in a pod of Pulsar's chart: they are the container's environment, and a script of the image,
 * {@code apply-config-from-env.py}, puts them into the shipped file. What that file does not have, if only in a comment, it adds only for a variable with the prefix.
 */
final class ChartSettings {
    static final String PREFIX = "PULSAR_PREFIX_";
    private static final Pattern KEY = Pattern.compile("(?m)^\\s*#?\\s*([A-Za-z][\\w.-]*)\\s*=");

    private ChartSettings() {}

    /** @param others what variables there begin with that are for another program in the same pod */
    static List<SettingsPlace> at(String path, String... others) {
        return List.of(SettingsPlace.inValues(path, PREFIX, List.of(others)));
    }

    /** Settings that exist, without the prefix, of which the shipped file of that name says nothing. */
    static List<Finding> passedOver(String file, KnownSettings known, List<SettingLine> asWritten) {
        if (asWritten.isEmpty()) {
            return List.of();
        }
        Set<String> names = KEY.matcher(new Distribution(LocalPulsarFiles.distribution()).shippedText(file))
                .results()
                .map((MatchResult found) -> found.group(1))
                .collect(Collectors.toSet());
        return asWritten.stream()
                .filter(line -> known.find(line.key()).isPresent() && !names.contains(line.key()))
                .map(line -> new Finding(
                        line.line(),
                        line.key(),
                        Verdict.INERT,
                        "the file that is shipped does not have it, and the image's script adds it only as " + PREFIX
                                + line.key(),
                        Optional.of(PREFIX + line.key())))
                .toList();
    }
}
