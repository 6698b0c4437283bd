package dev.millrace.house;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The files of this clone as git sees them, and their lines. */
final class Repository {
    private static final Set<String> NOT_OURS = Set.of(".git", "target", ".millrace", ".idea", ".vscode", ".settings");

    final Path root =
            Path.of(System.getProperty("millrace.root", "..")).toAbsolutePath().normalize();
    /** Tracked, and new but not ignored; paths with '/', sorted. */
    final List<String> files = listed();

    /** One line of one file; {@link #toString} is how an editor finds it. */
    record Line(String file, int number, String text) {
        @Override
        public String toString() {
            return file + ":" + number + ": " + text.strip();
        }
    }

    Stream<String> files(String suffix) {
        return files.stream().filter(file -> file.endsWith(suffix));
    }

    /** Text files only: what a person writes. */
    Stream<String> texts() {
        return files.stream()
                .filter(file -> !file.matches(".*\\.(jar|png|jpg|gif|ico|bin|gz|zip|parquet|savepoint)"))
                .filter(file -> !file.contains("/_metadata") && !file.startsWith("LICENSE"));
    }

    String text(String file) {
        try {
            return new String(Files.readAllBytes(root.resolve(file)), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Stream<Line> lines(String file) {
        List<Line> lines = new ArrayList<>();
        String[] texts = text(file).split("\n", -1);
        for (int i = 0; i < texts.length; i++) {
            lines.add(new Line(file, i + 1, texts[i]));
        }
        return lines.stream();
    }

    /** The folders of {@code brokers/} that hold a plugin: there a broker's name comes from. */
    List<String> brokers() {
        return files.stream()
                .filter(file -> file.matches("brokers/[^/]+/pom\\.xml"))
                .map(file -> file.split("/")[1])
                .sorted()
                .toList();
    }

    private List<String> listed() {
        try {
            Process git = new ProcessBuilder(
                            "git", "-C", root.toString(), "ls-files", "--cached", "--others", "--exclude-standard")
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String names = new String(git.getInputStream().readAllBytes(), UTF_8);
            if (git.waitFor(30, TimeUnit.SECONDS) && git.exitValue() == 0) {
                return names.lines()
                        .filter(name -> Files.isRegularFile(root.resolve(name)))
                        .sorted()
                        .toList();
            }
        } catch (IOException e) {
            // No git on this machine: a source archive is read by walking it.
            return walked();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return walked();
    }

    private List<String> walked() {
        TreeSet<String> found = new TreeSet<>();
        try (Stream<Path> paths = Files.walk(root)) {
            paths.filter(Files::isRegularFile).map(root::relativize).forEach(path -> {
                for (Path part : path) {
                    if (NOT_OURS.contains(part.toString())) {
                        return;
                    }
                }
                found.add(path.toString().replace('\\', '/'));
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return List.copyOf(found);
    }
}
