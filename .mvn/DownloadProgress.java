import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;

/**
 * Says every few seconds how much a first build has downloaded: with {@code -q} Maven itself says nothing, and a person would
 * wait for minutes without a sign. Started beside the build, ends with it. Argument: the local repository.
 */
class DownloadProgress {
    private static final long INTERVAL_MILLIS = 3_000;
    private static final long WORTH_A_LINE_BYTES = 2_000_000;
    /** Downloads come first; after so long without any, what follows is tests. */
    private static final Duration QUIET = Duration.ofMinutes(2);

    public static void main(String[] arguments) throws InterruptedException {
        // Ctrl-C ends it with the build, and Maven would tell of any other exit code with a stack trace.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> Runtime.getRuntime().halt(0)));
        Path repository = Path.of(arguments[0]);
        ProcessHandle build = ProcessHandle.current().parent().orElseThrow();
        long before = bytes(repository);
        long said = before;
        long quietSince = System.nanoTime();
        while (build.isAlive() && System.nanoTime() - quietSince < QUIET.toNanos()) {
            Thread.sleep(INTERVAL_MILLIS);
            long now = bytes(repository);
            if (now - said >= WORTH_A_LINE_BYTES) {
                said = now;
                quietSince = System.nanoTime();
                System.out.println("Downloading, once: " + (now - before) / 1_000_000 + " MB so far");
            }
        }
    }

    private static long bytes(Path directory) {
        long[] sum = new long[1];
        try {
            Files.walkFileTree(directory, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes about) {
                    sum[0] += about.size();
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException e) {
                    // A part file that has just got its name.
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            return 0;
        }
        return sum[0];
    }
}
