package dev.millrace.deploy.kubernetes.image;

import dev.millrace.core.settings.EnvironmentException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The dynamic libraries of this machine that a Java and the natives in our jars need; by {@code ldd}, and by name for the natives. */
final class SharedLibraries {
    private static final int BOUND_SECONDS = 60;
    /** "libz.so.1 => /lib/libz.so.1 (0x...)", or the loader: "/lib64/ld-linux.so.2 (0x...)". */
    private static final Pattern RESOLVED = Pattern.compile("(?:=>\\s*|^\\s+)(/\\S+) \\(0x", Pattern.MULTILINE);
    /** What natives that are unpacked from jars were linked with, and what the C library loads when it resolves host names. */
    private static final List<String> FOR_NATIVES = List.of(
            "libc.so.6",
            "libm.so.6",
            "libdl.so.2",
            "librt.so.1",
            "libpthread.so.0",
            "libutil.so.1",
            "libresolv.so.2",
            "libnss_files.so.2",
            "libnss_dns.so.2",
            "libgcc_s.so.1",
            "libstdc++.so.6",
            "libz.so.1");

    private SharedLibraries() {}

    /** The libraries that the programs and libraries in a Java's folder need from outside it, and those of natives; sorted. */
    static List<Path> of(Path java) {
        TreeSet<Path> found = new TreeSet<>();
        Matcher lines = RESOLVED.matcher(ldd(binaries(java)));
        while (lines.find()) {
            Path library = Path.of(lines.group(1)).normalize();
            if (!library.startsWith(java)) {
                found.add(library);
            }
        }
        List<Path> folders = found.stream()
                .map(Path::getParent)
                .distinct()
                .flatMap(folder -> Stream.of(folder, Path.of("/usr" + folder)))
                .toList();
        FOR_NATIVES.stream()
                .filter(name -> found.stream().noneMatch(library -> library.endsWith(name)))
                .forEach(name -> in(folders, name).ifPresent(found::add));
        if (in(folders, "libc.so.6").isEmpty()) {
            throw new EnvironmentException(
                    "this machine has no GNU C library, and a base image of this machine needs it;"
                            + " name a base: --base NAME:TAG or --base tar:FILE");
        }
        return List.copyOf(found);
    }

    private static Optional<Path> in(List<Path> folders, String name) {
        return folders.stream()
                .map(folder -> folder.resolve(name))
                .filter(Files::isRegularFile)
                .findFirst();
    }

    private static List<String> binaries(Path java) {
        try (Stream<Path> files = Files.walk(java)) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> file.toString().endsWith(".so") || file.endsWith(Path.of("bin", "java")))
                    .map(Path::toString)
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new EnvironmentException("cannot list " + java + ": " + e.getMessage(), e);
        }
    }

    private static String ldd(List<String> files) {
        List<String> command = new ArrayList<>(List.of("ldd"));
        command.addAll(files);
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("LC_ALL", "C");
        try {
            Path output = Files.createTempFile("millrace-ldd", ".txt");
            try {
                Process ldd = builder.redirectOutput(output.toFile()).start();
                if (!ldd.waitFor(BOUND_SECONDS, TimeUnit.SECONDS)) {
                    ldd.destroyForcibly();
                    throw new EnvironmentException("ldd did not end within " + BOUND_SECONDS + " s");
                }
                return Files.readString(output, StandardCharsets.ISO_8859_1);
            } finally {
                Files.deleteIfExists(output);
            }
        } catch (IOException e) {
            throw new EnvironmentException(
                    "cannot run ldd, which a base image of this machine needs (" + e.getMessage()
                            + "); name a base: --base NAME:TAG or --base tar:FILE",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EnvironmentException("interrupted while ldd ran", e);
        }
    }
}
