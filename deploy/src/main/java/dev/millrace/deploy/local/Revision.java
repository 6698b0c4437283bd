package dev.millrace.deploy.local;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The commit that a clone stands on, as git says; empty where there is no git or no clone. */
public final class Revision {
    private static final int BOUND_SECONDS = 10;

    private Revision() {}

    /** Its hash in hexadecimal. */
    public static Optional<String> of(Path root) {
        return git(root, "rev-parse", "HEAD").filter(line -> line.matches("[0-9a-f]{40,64}"));
    }

    /** The same, with a word when files differ from it. */
    public static Optional<String> withChanges(Path root) {
        return of(root).map(commit -> commit
                + git(root, "status", "--porcelain")
                        .filter(changes -> !changes.isEmpty())
                        .map(changes -> " and changes that are not committed")
                        .orElse(""));
    }

    private static Optional<String> git(Path root, String... arguments) {
        List<String> command = new ArrayList<>(List.of("git", "-C", root.toString()));
        command.addAll(List.of(arguments));
        try {
            Process git = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            git.getOutputStream().close();
            String out = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            if (!git.waitFor(BOUND_SECONDS, TimeUnit.SECONDS)) {
                git.destroyForcibly();
                return Optional.empty();
            }
            return git.exitValue() == 0 ? Optional.of(out) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }
}
