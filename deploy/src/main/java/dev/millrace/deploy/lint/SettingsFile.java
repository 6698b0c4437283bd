package dev.millrace.deploy.lint;

import dev.millrace.connectors.api.lint.Finding;
import dev.millrace.connectors.api.lint.KnownSettings;
import dev.millrace.connectors.api.lint.Linter;
import dev.millrace.connectors.api.lint.SettingLine;
import dev.millrace.connectors.api.lint.SettingsKind;
import dev.millrace.core.settings.UserException;
import java.nio.file.Path;
import java.util.List;

/**
 * Settings of one kind in a person's file. Immutable.
 *
 * @param settings at least one
 */
public record SettingsFile(Path path, SettingsKind kind, List<SettingLine> settings) {

    /**
     * Reads a file: one of these, or several where it is an object of Kubernetes or values of a chart with settings in it.
     *
     * @param kinds which there are, and how one is told by its file
     * @throws UserException when it cannot be read, sets nothing, or it is not clear of which kind it is
     */
    public static List<SettingsFile> read(Path path, Kinds kinds) {
        String text = SettingsText.read(path);
        List<PlacedSettings> placed = PlacedSettings.in(text, kinds.possible());
        if (!placed.isEmpty()) {
            return placed.stream()
                    .map(one -> new SettingsFile(path, one.kind(), one.settings()))
                    .toList();
        }
        SettingsKind kind = kinds.of(path, text);
        List<SettingLine> settings;
        try {
            settings = kind.parse(path.getFileName().toString(), text);
        } catch (UserException e) {
            throw new UserException(path + ": " + e.getMessage(), e);
        }
        if (settings.isEmpty()) {
            throw new UserException(path + " sets nothing: it has only comments");
        }
        return List.of(new SettingsFile(path, kind, settings));
    }

    /** All that is found, notes included, and whose settings it was held against. */
    public Checked check() {
        KnownSettings known = kind.known();
        return new Checked(this, known.of(), new Linter(known).check(settings));
    }

    /**
     * A file with what was found in it.
     *
     * @param of whose settings, with the version
     */
    public record Checked(SettingsFile file, String of, List<Finding> findings) {}
}
