import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Brings a broker's server to a folder by way of a Maven of its own, so that downloads show even when the build around it is
 * quiet; what is downloaded must have its checksum. Run as a single source file; does nothing when the folder was completed
 * for the same pom before. The pom says which files and which goal.
 */
final class FetchServer {
    private static final long BOUND_MINUTES = 60;

    private FetchServer() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        Path mavenHome = Path.of(args[0]);
        Path pom = Path.of(args[1]);
        Path target = Path.of(args[2]);
        String goal = args[3];
        String what = args[4];
        String settings = value(args[5]);
        String localRepository = value(args[6]);
        boolean offline = Boolean.parseBoolean(value(args[7]));
        if (isOfAnotherBroker(value(args[8]), value(args[9]))) {
            return;
        }

        Path complete = target.resolve("complete");
        String wanted = Files.readString(pom);
        if (Files.exists(complete) && Files.readString(complete).equals(wanted)) {
            return;
        }
        System.out.println("Fetching " + what + ", once");
        remove(target);
        List<String> command = new ArrayList<>(List.of(
                mavenHome.resolve("bin").resolve("mvn").toString(),
                "-B",
                // A file whose checksum is wrong is refused, not only warned of.
                "-C",
                "-f",
                pom.toString(),
                goal,
                "-DincludeScope=runtime",
                "-DoutputDirectory=" + target,
                "-DmarkersDirectory=" + target.resolve("unpacked"),
                "-Dmaven.repo.local=" + localRepository,
                // Only errors and what is downloaded.
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=error",
                "-Dorg.slf4j.simpleLogger.log.org.apache.maven.cli.transfer.Slf4jMavenTransferListener=info"));
        if (Files.isRegularFile(Path.of(settings))) {
            command.addAll(List.of("-s", settings));
        }
        if (offline) {
            command.add("-o");
        }
        Process maven = new ProcessBuilder(command).inheritIO().start();
        if (!maven.waitFor(BOUND_MINUTES, TimeUnit.MINUTES)) {
            maven.destroyForcibly();
            System.err.println(what + " did not come within " + BOUND_MINUTES + " minutes.");
            System.exit(1);
        }
        if (maven.exitValue() != 0) {
            System.err.println(
                    what + " could not be fetched" + (offline ? "; this build is offline (-o): run it once without" : "")
                            + ".");
            System.exit(1);
        }
        Files.writeString(complete, wanted);
        System.out.println("Fetched " + what + ": " + bytes(target) / 1_000_000 + " MB in " + target);
    }

    /** Whether brokers were named beside the profile that measures, and this is none of them. */
    private static boolean isOfAnotherBroker(String profiles, String broker) {
        List<String> named = new ArrayList<>(List.of(profiles.replaceAll("[\\[\\]\\s]", "").split(",")));
        boolean measures = named.remove("perf");
        named.remove("baselines");
        return measures && !named.isEmpty() && !named.contains(broker);
    }

    /** What stands behind NAME=. */
    private static String value(String argument) {
        return argument.substring(argument.indexOf('=') + 1);
    }

    private static long bytes(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.map(Path::toFile).filter(java.io.File::isFile).mapToLong(java.io.File::length).sum();
        }
    }

    private static void remove(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).forEach(file -> {
                try {
                    Files.delete(file);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }
}
