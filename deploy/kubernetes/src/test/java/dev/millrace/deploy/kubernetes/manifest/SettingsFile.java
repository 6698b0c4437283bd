package dev.millrace.deploy.kubernetes.manifest;

import dev.millrace.connectors.api.lint.PropertiesText;
import dev.millrace.connectors.api.lint.SettingLine;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A file of settings that pods get. Immutable.
 *
 * @param lines its settings
 */
record SettingsFile(String file, String text, List<SettingLine> lines) {

    static SettingsFile of(String file, String text) {
        return new SettingsFile(file, text, PropertiesText.parse(text));
    }

    String name() {
        return file.substring(file.lastIndexOf('/') + 1);
    }

    Map<String, String> values() {
        Map<String, String> values = new LinkedHashMap<>();
        lines.forEach(line -> values.put(line.key(), line.value()));
        return values;
    }

    Finding finding(SettingLine line, String sentence) {
        return new Finding(file, line.line(), "", line.key(), sentence);
    }
}
