package dev.millrace.connectors.api.lint;

import dev.millrace.core.settings.UserException;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/** The settings in a text in the format of {@link Properties}, with the numbers of their lines, repetitions included. */
public final class PropertiesText {
    private PropertiesText() {}

    /** All settings, in the text's order. */
    public static List<SettingLine> parse(String text) {
        List<SettingLine> settings = new ArrayList<>();
        String[] lines = text.split("\r\n|\n|\r", -1);
        for (int first = 0; first < lines.length; first++) {
            StringBuilder logical = new StringBuilder(lines[first]);
            int number = first + 1;
            if (!isComment(lines[first])) {
                while (isContinued(lines[first]) && first + 1 < lines.length) {
                    logical.append('\n').append(lines[++first]);
                }
            }
            add(settings, number, logical.toString());
        }
        return settings;
    }

    private static boolean isComment(String line) {
        String stripped = line.stripLeading();
        return stripped.startsWith("#") || stripped.startsWith("!");
    }

    /** By an odd number of backslashes at its end. */
    private static boolean isContinued(String line) {
        int end = line.length();
        while (end > 0 && line.charAt(end - 1) == '\\') {
            end--;
        }
        return (line.length() - end) % 2 == 1;
    }

    /** One logical line, which is at most one setting: escapes and separators are left to the JDK. */
    private static void add(List<SettingLine> settings, int number, String logical) {
        Properties one = new Properties();
        try {
            one.load(new StringReader(logical));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (IllegalArgumentException e) {
            throw new UserException(
                    "line " + number + ": " + e.getMessage() + "; a backslash is written as two of them", e);
        }
        one.forEach((key, value) -> settings.add(
                new SettingLine(number, key.toString(), value.toString().trim())));
    }
}
