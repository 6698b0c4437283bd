package dev.millrace.deploy.kubernetes.cluster;

import dev.millrace.core.settings.EnvironmentException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The one further program that is needed: it knows kubeconfig files and kustomize. Stateless. */
public final class Kubectl {
    private static final String NAME = "kubectl";
    private static final long BOUND_SECONDS = 60;

    private final Optional<Path> kubeconfig;

    public Kubectl(Optional<Path> kubeconfig) {
        this.kubeconfig = kubeconfig;
    }

    /** The names of the contexts that a person could mean. */
    List<String> contexts() {
        return run(List.of("config", "get-contexts", "-o", "name"))
                .lines()
                .filter(line -> !line.isBlank())
                .toList();
    }

    /** Clusters, users and the one context, with certificates inside. */
    String config(String context) {
        return run(List.of("config", "view", "--raw", "--flatten", "--minify", "--context", context));
    }

    /** The objects of a kustomization as YAML documents. */
    public String kustomize(Path folder) {
        return run(List.of("kustomize", folder.toString()));
    }

    private String run(List<String> arguments) {
        List<String> command = new ArrayList<>(List.of(NAME));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command);
        kubeconfig.ifPresent(file -> builder.environment().put("KUBECONFIG", file.toString()));
        Path said = null;
        try {
            said = Files.createTempFile("millrace-kubectl", ".txt");
            Process process = builder.redirectError(said.toFile()).start();
            process.getOutputStream().close();
            String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(BOUND_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new EnvironmentException(
                        "kubectl " + arguments.get(0) + " did not end within " + BOUND_SECONDS + " s");
            }
            if (process.exitValue() != 0) {
                throw new EnvironmentException("kubectl " + String.join(" ", arguments) + " failed: "
                        + Files.readString(said).strip());
            }
            return out;
        } catch (IOException e) {
            throw new EnvironmentException(
                    "kubectl cannot be run (" + e.getMessage() + "); install it, 1.27 or newer, and put it on the PATH",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EnvironmentException("interrupted while kubectl ran", e);
        } finally {
            delete(said);
        }
    }

    private static void delete(@org.jspecify.annotations.Nullable Path file) {
        if (file != null) {
            try {
                Files.deleteIfExists(file);
            } catch (IOException e) {
                file.toFile().deleteOnExit();
            }
        }
    }
}
