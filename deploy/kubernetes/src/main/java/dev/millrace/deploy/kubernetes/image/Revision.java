package dev.millrace.deploy.kubernetes.image;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The commit that a clone stands on. */
final class Revision {
    private static final int BOUND_SECONDS = 10;

    private Revision() {}

    /** Nothing where there is no git or no clone. */
    static Optional<String> of(Path root) {
        try {
            Process git = new ProcessBuilder("git", "-C", root.toString(), "rev-parse", "HEAD")
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            git.getOutputStream().close();
            if (!git.waitFor(BOUND_SECONDS, TimeUnit.SECONDS)) {
                git.destroyForcibly();
                return Optional.empty();
            }
            String text = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).trim();
            return Optional.of(text).filter(line -> git.exitValue() == 0 && line.matches("[0-9a-f]{40,64}"));
        } catch (IOException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }
}
