package dev.millrace.connectors.api.lint;

/**
 * Where settings of a kind stand in a YAML file of something else: in an object of Kubernetes, or in the values of a chart.
 *
 * @param object the object's kind; empty for the values of a chart
 * @param path names from the top, with dots between
 * @param prefix what a key may begin with there that is no part of it; may be empty
 */
public record SettingsPlace(String object, String path, String prefix) {

    /** In an object of Kubernetes, with keys as they are. */
    public static SettingsPlace in(String object, String path) {
        return new SettingsPlace(object, path, "");
    }
}
