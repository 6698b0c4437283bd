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
 * Brings the server's jars to a folder by way of a Maven of its own, so that downloads show even when the build around it is
 * quiet. Run as a single source file; does nothing when the folder was completed for the same pom before.
 */
final class FetchServer {
    private static final long BOUND_MINUTES = 60;

    private FetchServer() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        Path mavenHome = Path.of(args[0]);
        Path pom = Path.of(args[1]);
        Path target = Path.of(args[2]);
        String settings = value(args[3]);
        String localRepository = value(args[4]);
        boolean offline = Boolean.parseBoolean(value(args[5]));

        Path complete = target.resolve("complete");
        String wanted = Files.readString(pom);
        if (Files.exists(complete) && Files.readString(complete).equals(wanted)) {
            return;
        }
        System.out.println("Fetching the Kafka server's jars (about 43 MB, once)");
        remove(target);
        List<String> command = new ArrayList<>(List.of(
                mavenHome.resolve("bin").resolve("mvn").toString(),
                "-B",
                "-f",
                pom.toString(),
                "dependency:copy-dependencies",
                "-DincludeScope=runtime",
                "-DoutputDirectory=" + target,
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
            System.err.println("The Kafka server's jars did not come within " + BOUND_MINUTES + " minutes.");
            System.exit(1);
        }
        if (maven.exitValue() != 0) {
            System.err.println("The Kafka server's jars could not be fetched"
                    + (offline ? "; this build is offline (-o): run it once without" : "") + ".");
            System.exit(1);
        }
        Files.writeString(complete, wanted);
    }

    /** What stands behind NAME=. */
    private static String value(String argument) {
        return argument.substring(argument.indexOf('=') + 1);
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
