package dev.millrace.deploy.lint;

import dev.millrace.connectors.api.lint.KnownSettings;
import dev.millrace.connectors.api.lint.SettingLine;
import dev.millrace.connectors.api.lint.SettingsKind;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.Suggestion;
import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.local.Installation;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.stream.Stream;

/** The kinds of settings files that can be checked, and which of them a file is. Immutable. */
public final class Kinds {
    private final List<SettingsKind> kinds;
    private final Optional<String> named;
    private final String missing;

    /**
     * Kinds to choose from.
     *
     * @param named what a person said; then nothing is guessed
     * @param missing a sentence on those that are not there, or empty
     * @throws UserException when two have one name: nobody could tell them apart
     */
    Kinds(List<SettingsKind> kinds, Optional<String> named, String missing) {
        this.kinds =
                kinds.stream().sorted(Comparator.comparing(SettingsKind::name)).toList();
        this.named = named;
        this.missing = missing;
        refuseNamesakes();
    }

    private void refuseNamesakes() {
        Map<String, SettingsKind> byName = new HashMap<>();
        for (SettingsKind kind : kinds) {
            SettingsKind other = byName.putIfAbsent(kind.name(), kind);
            if (other != null) {
                throw new UserException("two kinds of settings files are called '" + kind.name() + "': that of "
                        + other.getClass().getName() + " and that of "
                        + kind.getClass().getName() + "; rename one, or leave --plugin-dir out");
            }
        }
    }

    /** Those of the launcher and of every plugin that is built. */
    public static Kinds of(Installation installation, Optional<String> named) {
        List<String> built = installation.builtBrokers();
        Stream<SettingsKind> own = ServiceLoader.load(SettingsKind.class, Kinds.class.getClassLoader()).stream()
                .map(ServiceLoader.Provider::get);
        Stream<SettingsKind> plugins =
                built.stream().flatMap(broker -> installation.services(broker, SettingsKind.class).stream());
        List<String> unbuilt = installation.brokers().stream()
                .filter(broker -> !built.contains(broker))
                .toList();
        return new Kinds(
                Stream.concat(own, plugins).toList(),
                named,
                unbuilt.isEmpty()
                        ? ""
                        : " (and those of plugins that are not built: " + String.join(", ", unbuilt) + "; build one: "
                                + installation.buildCommand("brokers/" + unbuilt.get(0)) + ")");
    }

    /**
     * The kind of a file: the named one, else by the file's name, else the one that knows most of its keys.
     *
     * @throws UserException when there is no such kind, or it is not clear which it is
     */
    SettingsKind of(Path file, String text) {
        if (named.isPresent()) {
            return byName(named.get());
        }
        String fileName = file.getFileName().toString();
        List<SettingsKind> so = kinds.stream()
                .filter(kind -> kind.fileNames().contains(fileName))
                .toList();
        if (so.isEmpty()
                && kinds.stream().anyMatch(kind -> kind.foreignFileNames().contains(fileName))) {
            throw notClear(file, ": by its name it is one that is not checked", "");
        }
        return so.size() == 1 ? so.get(0) : byKeys(file, text, so.isEmpty() ? kinds : so);
    }

    /** Those that a file may have settings of: all, or the named one. */
    List<SettingsKind> possible() {
        return named.map(name -> List.of(byName(name))).orElse(kinds);
    }

    private SettingsKind byName(String name) {
        return kinds.stream()
                .filter(kind -> kind.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new UserException("there is no kind of settings file '" + name + "'"
                        + Suggestion.didYouMean(name, names())
                        + "; there are: " + String.join(", ", names()) + missing));
    }

    private List<String> names() {
        return kinds.stream().map(SettingsKind::name).toList();
    }

    private SettingsKind byKeys(Path file, String text, List<SettingsKind> among) {
        List<Guess> guesses = new ArrayList<>();
        List<String> absent = new ArrayList<>();
        for (SettingsKind kind : among) {
            try {
                guess(kind, file.getFileName().toString(), text).ifPresent(guesses::add);
            } catch (EnvironmentException e) {
                absent.add(kind.name());
            }
        }
        long most = guesses.stream().mapToLong(Guess::hits).max().orElse(0);
        List<Guess> fit = guesses.stream().filter(guess -> guess.hits() == most).toList();
        // What knows all that another one knows, and more, is the less likely of the two.
        List<Guess> best = fit.stream()
                .filter(guess -> fit.stream().noneMatch(guess::knowsMoreThan))
                .toList();
        if (best.size() != 1 || !best.get(0).isClear()) {
            throw notClear(
                    file,
                    "",
                    absent.isEmpty()
                            ? ""
                            : "; not tried, because their servers are not fetched: " + String.join(", ", absent));
        }
        return best.get(0).kind();
    }

    private UserException notClear(Path file, String why, String more) {
        return new UserException("it is not clear what settings " + file + " has" + why
                + "; say it with --kind KIND; there are: " + String.join(", ", names()) + missing + more);
    }

    /** None when the text is not written as that kind is. */
    private static Optional<Guess> guess(SettingsKind kind, String fileName, String text) {
        List<SettingLine> settings;
        try {
            settings = kind.parse(fileName, text);
        } catch (UserException e) {
            return Optional.empty();
        }
        KnownSettings known = kind.known();
        return Optional.of(new Guess(
                kind,
                known,
                settings.stream()
                        .filter(setting -> known.find(setting.key()).isPresent())
                        .count(),
                settings.size()));
    }

    /**
     * How well a kind fits.
     *
     * @param hits how many of the file's settings it knows
     */
    private record Guess(SettingsKind kind, KnownSettings known, long hits, int settings) {
        boolean isClear() {
            return 2 * hits > settings;
        }

        boolean knowsMoreThan(Guess other) {
            return known.settings().size() > other.known.settings().size()
                    && known.settings()
                            .keySet()
                            .containsAll(other.known.settings().keySet());
        }
    }
}
