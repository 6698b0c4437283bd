package dev.millrace.connectors.api.lint;

import java.util.List;

/**
 * Where settings of a kind stand in a YAML file of something else: in an object of Kubernetes, or in the values of a chart.
 *
 * @param object the object's kind; empty for the values of a chart
 * @param path names from the top, with dots between
 * @param prefix what a key may begin with there that is no part of it; may be empty
 * @param others what keys begin with there that are for other programs
 * @param separator what is put between the elements of a list
 */
public record SettingsPlace(String object, String path, String prefix, List<String> others, String separator) {
    private static final String COMMA = ",";

    public SettingsPlace {
        others = List.copyOf(others);
    }

    /** In an object of Kubernetes, with keys as they are and lists with commas. */
    public static SettingsPlace in(String object, String path) {
        return new SettingsPlace(object, path, "", List.of(), COMMA);
    }

    /** In the values of a chart. */
    public static SettingsPlace inValues(String path, String prefix, List<String> others) {
        return new SettingsPlace("", path, prefix, others, COMMA);
    }

    /** The same place, where lists are written with another separator. */
    public SettingsPlace separatedBy(String other) {
        return new SettingsPlace(object, path, prefix, others, other);
    }
}
