package dev.millrace.connectors.testkit.broker;

import dev.millrace.connectors.api.lint.PropertiesText;
import dev.millrace.connectors.api.lint.SettingLine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a broker's server gets when it runs on Kubernetes: its files of settings and its command line, so that they can be held against
 * those of the local server. Immutable.
 */
public record PodFiles(Path folder) {

    /** Those of the small size in this clone. */
    public static PodFiles of(String broker) {
        return new PodFiles(Path.of(System.getProperty("millrace.root", "../.."))
                .resolve("brokers")
                .resolve(broker)
                .resolve("deploy/kubernetes/tiny"));
    }

    public String text(String file) {
        try {
            return Files.readString(folder.resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public Map<String, String> settings(String file) {
        return settings(PropertiesText.parse(text(file)));
    }

    public static Map<String, String> settings(List<SettingLine> lines) {
        Map<String, String> settings = new LinkedHashMap<>();
        lines.forEach(line -> settings.put(line.key(), line.value()));
        return settings;
    }

    /** The items of the {@code args} of each container in a manifest, in its order. */
    public List<List<String>> arguments(String manifest) {
        List<List<String>> all = new ArrayList<>();
        boolean isInside = false;
        for (String line : text(manifest).lines().map(String::strip).toList()) {
            if (line.equals("args:")) {
                all.add(new ArrayList<>());
                isInside = true;
            } else if (isInside && line.startsWith("- ")) {
                all.get(all.size() - 1).add(line.substring(2).replaceAll("^\"|\"$", ""));
            } else if (!line.startsWith("#")) {
                isInside = false;
            }
        }
        return all;
    }

    /** The settings over and over, each time with one key or one value that has lost a letter; by what it is then. */
    public static Map<String, List<SettingLine>> misspelt(List<SettingLine> lines) {
        Map<String, List<SettingLine>> all = new LinkedHashMap<>();
        for (SettingLine line : lines) {
            List<SettingLine> others = new ArrayList<>();
            others.add(new SettingLine(line.line(), shorter(line.key()), line.value()));
            if (!line.value().isEmpty()) {
                others.add(new SettingLine(line.line(), line.key(), shorter(line.value())));
            }
            for (SettingLine other : others) {
                all.put(
                        other.key() + "=" + other.value(),
                        lines.stream().map(one -> one == line ? other : one).toList());
            }
        }
        return all;
    }

    /** The word without the letter in its middle. */
    public static String shorter(String word) {
        return new StringBuilder(word).deleteCharAt(word.length() / 2).toString();
    }
}
