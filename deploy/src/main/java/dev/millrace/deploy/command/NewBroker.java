package dev.millrace.deploy.command;

import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.UserException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.lang.model.SourceVersion;

/**
 * A plugin's first folder: every file that the house asks for, which compiles, and whose contract says what is to be written. All
 * of it is there at the end or nothing.
 */
final class NewBroker {
    private static final String NAME = "[a-z][a-z0-9]{1,19}";

    /** What lies in a clone and is no part of it. */
    private static final Set<String> NOT_OURS = Set.of(
            ".git", "target", ".millrace", ".idea", ".vscode", ".settings", ".classpath", ".project", ".DS_Store");

    /** Where a broker's name may stand: in prose, and in what no person writes. TidyTest reads all the rest. */
    private static final Pattern UNREAD =
            Pattern.compile("LICENSE.*|brokers/pom\\.xml|.*/go\\.(mod|sum)|.*/_metadata.*|.*/house/TidyTest\\.java"
                    + "|.*\\.(md|iml|jar|png|jpg|gif|ico|bin|gz|zip|parquet|savepoint)");

    /** No person writes more into one file. */
    private static final long TEXT_BYTES_MAX = 16 << 20;

    private static final String MODULE_ANCHOR = "  </modules>\n";
    private static final String PROFILE_ANCHOR = "    <profile><id>";

    /** Template by the path of its file below the new folder; its name says what it becomes, to people and to tools. */
    private static final Map<String, String> FILES = files();

    private final Path root;
    private final String name;
    private final Path folder;

    NewBroker(Path root, String name) {
        this.root = root;
        this.name = name;
        this.folder = root.resolve("brokers").resolve(name);
    }

    private static Map<String, String> files() {
        Map<String, String> files = new TreeMap<>(Map.of(
                "pom.xml", "template-pom.xml",
                "README.md", "README.md.template",
                "src/main/resources/META-INF/services/dev.millrace.connectors.api.broker.Broker", "service.template",
                "src/main/java/dev/millrace/brokers/@name@/package-info.java", "package-info.java.template",
                "src/main/java/dev/millrace/brokers/@name@/Local@Name@.java", "Local.java.template"));
        for (String part : List.of("Broker", "Options", "Client", "Source", "SplitReader", "Lookup", "Committer")) {
            files.put("src/main/java/dev/millrace/brokers/@name@/@Name@" + part + ".java", part + ".java.template");
        }
        for (String part : List.of("Subject", "ContractTest", "FaultTest")) {
            files.put("src/test/java/dev/millrace/brokers/@name@/@Name@" + part + ".java", part + ".java.template");
        }
        return files;
    }

    /** Writes everything; what was written, by path from the clone's root. */
    List<String> write() {
        Path modules = root.resolve("brokers").resolve("pom.xml");
        Path profiles = root.resolve("pom.xml");
        if (!Files.isRegularFile(modules) || !Files.isRegularFile(profiles)) {
            throw new UserException("a new broker is a folder of a clone, and " + root
                    + " is none; start it there, by deploy/bin/millrace");
        }
        checkName();
        String modulesBefore = read(modules);
        String profilesBefore = read(profiles);
        String modulesAfter = withModule(modules, modulesBefore);
        String profilesAfter = withProfile(profiles, profilesBefore);
        Path draft = draft();
        try {
            writeFolder(draft);
            Files.move(draft, folder, StandardCopyOption.ATOMIC_MOVE);
            replace(modules, modulesAfter);
            replace(profiles, profilesAfter);
        } catch (IOException e) {
            undo(draft, Map.of(modules, modulesBefore, profiles, profilesBefore));
            throw new EnvironmentException(
                    "cannot write the new broker into " + root + " (" + e + "); nothing of it is left", e);
        }
        return Stream.concat(
                        FILES.keySet().stream().map(file -> "brokers/" + name + "/" + filled(file)),
                        Stream.of("brokers/pom.xml (its module line)", "pom.xml (its profile line)"))
                .toList();
    }

    private void checkName() {
        if (!name.matches(NAME)) {
            throw new UserException(
                    "a broker's name is 2 to 20 lower case letters and digits, a letter first; '" + name + "' is not");
        }
        if (SourceVersion.isKeyword(name)) {
            throw new UserException("'" + name + "' is a word of Java and cannot name a package; choose another name");
        }
        if (Files.exists(folder)) {
            throw new UserException("there is a broker '" + name + "' already, in " + folder + "; nothing was changed");
        }
        firstUse().ifPresent(use -> {
            throw new UserException(
                    "'" + name + "' occurs in " + use + ", and a broker's name may occur only in its own"
                            + " folder (a test holds that); choose a name that is no word of this clone");
        });
    }

    /** Where TidyTest would take a word for this broker, as {@code FILE:LINE}. */
    private Optional<String> firstUse() {
        for (String file : neutralFiles()) {
            String[] lines = read(root.resolve(file)).toLowerCase(Locale.ROOT).split("\n", -1);
            for (int i = 0; i < lines.length; i++) {
                if (lines[i].contains(name)) {
                    return Optional.of(file + ":" + (i + 1));
                }
            }
        }
        return Optional.empty();
    }

    private SortedSet<String> neutralFiles() {
        SortedSet<String> found = new TreeSet<>();
        try {
            Files.walkFileTree(root, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes about) {
                    return isOurs(directory) ? FileVisitResult.CONTINUE : FileVisitResult.SKIP_SUBTREE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes about) {
                    String path = root.relativize(file).toString();
                    if (about.isRegularFile()
                            && about.size() <= TEXT_BYTES_MAX
                            && isOurs(file)
                            && !UNREAD.matcher(path).matches()) {
                        found.add(path);
                    }
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new EnvironmentException("cannot read " + root + ": " + e.getMessage(), e);
        }
        return found;
    }

    private boolean isOurs(Path path) {
        String last = path.getFileName().toString();
        return path.equals(root) || !NOT_OURS.contains(last) && !path.equals(draft());
    }

    /** What an earlier call may have left when it was killed. */
    private Path draft() {
        return folder.resolveSibling("." + name + ".new");
    }

    private String withModule(Path file, String text) {
        int anchor = text.indexOf(MODULE_ANCHOR);
        if (anchor < 0) {
            throw new UserException(
                    file + " has no line </modules>, so the module line has no place; nothing was changed");
        }
        return text.substring(0, anchor) + "    <module>" + name + "</module>\n" + text.substring(anchor);
    }

    private String withProfile(Path file, String text) {
        int last = text.lastIndexOf(PROFILE_ANCHOR);
        if (last < 0) {
            throw new UserException(
                    file + " has no broker's profile, so the profile line has no place; nothing was changed");
        }
        int end = text.indexOf('\n', last) + 1;
        String line = text.substring(last, end);
        String other = line.substring(PROFILE_ANCHOR.length(), line.indexOf('<', PROFILE_ANCHOR.length()));
        return text.substring(0, end) + line.replace("<id>" + other + "<", "<id>" + name + "<") + text.substring(end);
    }

    private void writeFolder(Path draft) throws IOException {
        for (Map.Entry<String, String> file : FILES.entrySet()) {
            Path target = draft.resolve(filled(file.getKey()));
            Files.createDirectories(target.getParent());
            String resource = "broker/" + file.getValue();
            try (InputStream template = NewBroker.class.getResourceAsStream(resource)) {
                Files.writeString(target, filled(new String(template.readAllBytes(), StandardCharsets.UTF_8)));
            }
        }
    }

    private String filled(String template) {
        String title = name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
        return template.replace("@name@", name).replace("@Name@", title);
    }

    private static void replace(Path file, String text) throws IOException {
        Path draft = file.resolveSibling(file.getFileName() + ".new");
        Files.writeString(draft, text);
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** As good as it goes: what failed before may fail here too. */
    private void undo(Path draft, Map<Path, String> before) {
        for (Path tree : List.of(draft, folder)) {
            try (Stream<Path> paths = Files.exists(tree) ? Files.walk(tree) : Stream.empty()) {
                for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            } catch (IOException e) {
                throw new EnvironmentException("what was half written cannot be removed from " + tree + ": " + e, e);
            }
        }
        before.forEach((file, text) -> {
            try {
                Files.deleteIfExists(file.resolveSibling(file.getFileName() + ".new"));
                if (!read(file).equals(text)) {
                    replace(file, text);
                }
            } catch (IOException e) {
                throw new EnvironmentException("cannot restore " + file + ": " + e, e);
            }
        });
    }

    private static String read(Path file) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new EnvironmentException("cannot read " + file + ": " + e.getMessage(), e);
        }
    }
}
