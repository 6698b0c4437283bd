package dev.millrace.deploy.local;

import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The run directories below a base, which may be other users', too. */
public final class RunDirectories {
    private RunDirectories() {}

    /** Every stack below {@code base} that has settings, running or not; sorted by broker. */
    public static List<RunDirectory> all(Path base) {
        return below(base, directory -> Files.isRegularFile(directory.stackFile()));
    }

    /** Those that have logs, also when nothing else is left of them; sorted by broker. */
    public static List<RunDirectory> withLogs(Path base) {
        return below(base, directory -> Files.isDirectory(directory.logs()));
    }

    /** Those of which this user cannot tell whether they are stacks that run; sorted by broker. */
    public static List<RunDirectory> unseen(Path base) {
        // A disk that is mounted there has a folder for what it finds when it is checked.
        return below(
                base,
                directory -> !directory.path().endsWith("lost+found")
                        && whyUnseen(directory).isPresent());
    }

    private static List<RunDirectory> below(Path base, Predicate<RunDirectory> wanted) {
        if (!Files.isDirectory(base)) {
            return List.of();
        }
        try (Stream<Path> folders = Files.list(base)) {
            return folders.filter(Files::isDirectory)
                    .sorted()
                    .map(folder -> RunDirectory.of(base, folder.getFileName().toString()))
                    .filter(wanted)
                    .toList();
        } catch (IOException e) {
            throw new EnvironmentException("cannot list " + base + ": " + e.getMessage(), e);
        }
    }

    /** Throws EnvironmentException where there may be a stack of that broker, and this user may not look. */
    public static void requireSeen(Path base, String broker) {
        Path folder = base.resolve(broker);
        if (Files.isDirectory(folder) && !Files.isExecutable(folder)) {
            throw new EnvironmentException(
                    "cannot tell whether there is a stack in " + folder + ": this user may not look into it");
        }
    }

    /** Why this user cannot tell whether a stack runs there; empty when that can be told. */
    public static Optional<String> whyUnseen(RunDirectory directory) {
        try {
            requireSeen(directory.path().getParent(), directory.broker());
            directory.isRunning();
            return Optional.empty();
        } catch (EnvironmentException e) {
            return Optional.of(e.getMessage());
        }
    }

    /** The stacks below {@code base} that run, as far as this user can tell. */
    public static List<RunDirectory> running(Path base) {
        return all(base).stream()
                .filter(directory -> whyUnseen(directory).isEmpty() && directory.isRunning())
                .toList();
    }

    /**
     * The stack that a command means: the named one, else the only running one; otherwise a UserException that lists them, or an
     * EnvironmentException that says where there may be one.
     */
    public static RunDirectory theOne(Path base, Optional<String> broker) {
        if (broker.isPresent()) {
            return named(base, broker.get());
        }
        List<RunDirectory> running = running(base);
        if (running.isEmpty()) {
            List<String> unseen = unseen(base).stream()
                    .flatMap(directory -> whyUnseen(directory).stream())
                    .toList();
            if (!unseen.isEmpty()) {
                throw new EnvironmentException(String.join("; ", unseen));
            }
            throw new UserException("no stack runs below " + base + "; start one: millrace up --broker BROKER");
        }
        if (running.size() > 1) {
            throw new UserException("more than one stack runs: " + names(running) + "; say which one with --broker");
        }
        return running.get(0);
    }

    private static RunDirectory named(Path base, String broker) {
        requireSeen(base, broker);
        return all(base).stream()
                .filter(directory -> directory.broker().equals(broker))
                .filter(RunDirectory::isRunning)
                .findFirst()
                .orElseThrow(() -> {
                    String others = names(running(base));
                    return new UserException("no stack of broker '" + broker + "' runs below " + base
                            + (others.isEmpty() ? "" : "; there runs: " + others)
                            + "; start it: millrace up --broker " + broker);
                });
    }

    private static String names(List<RunDirectory> directories) {
        return String.join(", ", directories.stream().map(RunDirectory::broker).toList());
    }
}
