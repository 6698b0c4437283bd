package dev.millrace.brokers.pulsar.lint;

import dev.millrace.connectors.api.lint.PropertiesText;
import dev.millrace.connectors.api.lint.SettingLine;
import dev.millrace.core.settings.EnvironmentException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The servers' distribution: its jars, and the settings files that it ships.
 *
 * @param folder with {@code lib} and {@code conf}
 */
record Distribution(Path folder) {

    Path jars() {
        return folder.resolve("lib");
    }

    /** Such as "1.2.3", out of the name of the one jar of that name. */
    String version(String jar) {
        Pattern name = Pattern.compile(Pattern.quote(jar) + "-(\\d[^-]*)\\.jar");
        try (Stream<Path> files = Files.list(jars())) {
            return files.map(file -> name.matcher(file.getFileName().toString()))
                    .filter(Matcher::matches)
                    .map(found -> found.group(1))
                    .findFirst()
                    .orElse("of an unknown version");
        } catch (IOException e) {
            throw new EnvironmentException("cannot list " + jars() + ": " + e.getMessage(), e);
        }
    }

    String shippedText(String file) {
        Path path = folder.resolve("conf").resolve(file);
        try {
            return Files.readString(path);
        } catch (IOException e) {
            throw new EnvironmentException(
                    "cannot read " + path + ": " + e + "; remove " + folder + " and run the build again", e);
        }
    }

    /** The settings of a shipped file; of one that it has twice, the last. */
    Map<String, String> shipped(String file) {
        Map<String, String> settings = new TreeMap<>();
        for (SettingLine line : PropertiesText.parse(shippedText(file))) {
            settings.put(line.key(), line.value());
        }
        return settings;
    }
}
