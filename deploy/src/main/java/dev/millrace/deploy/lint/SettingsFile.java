package dev.millrace.deploy.lint;

import dev.millrace.connectors.api.lint.Finding;
import dev.millrace.connectors.api.lint.KnownSettings;
import dev.millrace.connectors.api.lint.Linter;
import dev.millrace.connectors.api.lint.SettingLine;
import dev.millrace.connectors.api.lint.SettingsKind;
import dev.millrace.core.settings.UserException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;

/**
 * Settings of one kind in a person's file. Immutable.
 *
 * @param settings at least one
 * @param placed the same as they are written, where that is in an object of Kubernetes or in values of a chart; else none
 */
public record SettingsFile(Path path, SettingsKind kind, List<SettingLine> settings, List<SettingLine> placed) {

    /**
     * Reads a file: one of these, or several where it is an object of Kubernetes or values of a chart with settings in it.
     *
     * @param kinds which there are, and how one is told by its file
     * @throws UserException when it cannot be read, sets nothing, or it is not clear of which kind it is
     */
    public static List<SettingsFile> read(Path path, Kinds kinds) {
        SettingsText read = SettingsText.read(path);
        // YAML is never Latin-1.
        List<PlacedSettings> placed =
                read.isUtf8() ? withPath(path, () -> PlacedSettings.in(read.text(), kinds.possible())) : List.of();
        if (!placed.isEmpty()) {
            return placed.stream()
                    .map(one -> new SettingsFile(path, one.kind(), one.settings(), one.asWritten()))
                    .toList();
        }
        SettingsKind kind = kinds.of(path, read.text());
        if (!read.isUtf8() && !kind.isProperties()) {
            throw SettingsText.noText(path);
        }
        List<SettingLine> settings =
                withPath(path, () -> kind.parse(path.getFileName().toString(), read.text()));
        if (settings.isEmpty()) {
            throw new UserException(path + " sets nothing: it has only comments");
        }
        return List.of(new SettingsFile(path, kind, settings, List.of()));
    }

    private static <T> T withPath(Path path, Supplier<T> reading) {
        try {
            return reading.get();
        } catch (UserException e) {
            throw new UserException(path + ": " + e.getMessage(), e);
        }
    }

    /** All that is found, notes included, and whose settings it was held against. */
    public Checked check() {
        KnownSettings known = kind.known();
        List<Finding> findings = new ArrayList<>(new Linter(known).check(settings));
        findings.addAll(kind.placed(known, placed));
        findings.sort(Comparator.comparingInt(Finding::line));
        return new Checked(this, known.of(), findings);
    }

    /**
     * A file with what was found in it.
     *
     * @param of whose settings, with the version
     */
    public record Checked(SettingsFile file, String of, List<Finding> findings) {}
}
