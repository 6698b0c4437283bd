package dev.millrace.deploy.infrastructure;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.millrace.core.process.StopHook;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.local.OwnerOnly;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Terraform at work in a folder: a copy of a configuration, the variables, the state and what Terraform fetched. The clone stays as
 * it is. Not thread-safe; that two work in one folder at a time Terraform itself refuses by the lock on its state.
 */
public final class Terraform {
    /** A folder of providers as {@code terraform init -plugin-dir} takes it, for machines that cannot fetch any. */
    public static final String PLUGINS = "MILLRACE_TERRAFORM_PLUGINS";

    private static final String PROGRAM = "terraform";
    private static final String ENDING = ".tf";
    private static final String VARIABLES = "millrace.auto.tfvars.json";
    /** Of this process: what another one plans meanwhile was not shown to who says yes here. */
    private static final String PLAN = "plan-" + ProcessHandle.current().pid();

    private static final String STATE = "terraform.tfstate";
    private static final String ANSWER = "answer.txt";
    private static final String WARNINGS = "warnings.txt";
    private static final int TAIL_LINES = 30;
    /** The first time it fetches its provider. */
    private static final long QUIET_MINUTES = 15;

    /** What a person who interrupts waits for: Terraform finishes the calls that are under way and writes its state. */
    private static final long ENDING_MINUTES = 10;

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path folder;
    private final Map<String, String> environment;

    private Terraform(Path folder, Map<String, String> environment) {
        this.folder = folder;
        this.environment = environment;
    }

    /**
     * Copies the configuration into the folder and fetches its providers.
     *
     * @param environment beside that of this process
     */
    public static Terraform in(Path folder, Path configuration, Map<String, String> environment) {
        Terraform terraform = new Terraform(folder, Map.copyOf(environment));
        try {
            // A state may hold what only its owner should read.
            OwnerOnly.folder(Files.createDirectories(folder));
            for (Path old : files(folder)) {
                Files.delete(old);
            }
            for (Path file : files(configuration)) {
                Files.copy(file, folder.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
            }
        } catch (IOException e) {
            throw new EnvironmentException("cannot copy " + configuration + " to " + folder + ": " + e.getMessage(), e);
        }
        List<String> init = new ArrayList<>(List.of("init", "-input=false", "-no-color"));
        Optional.ofNullable(System.getenv(PLUGINS)).ifPresent(plugins -> init.add("-plugin-dir=" + plugins));
        terraform.quietly("prepare the folder", init.toArray(String[]::new));
        return terraform;
    }

    /** Whether the program is on the path. */
    public static boolean isThere() {
        return Arrays.stream(
                        Optional.ofNullable(System.getenv("PATH")).orElse("").split(File.pathSeparator))
                .filter(folder -> !folder.isEmpty())
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, PROGRAM)));
    }

    /** Whether something was ever made from the folder. */
    public static boolean hasState(Path folder) {
        return Files.exists(folder.resolve(STATE));
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(ENDING)).toList();
        }
    }

    /**
     * What Terraform would do; it is kept for {@link #apply}.
     *
     * @param lasting variables that may not change while anything is in the state, such as the region: elsewhere Terraform would
     *     find nothing of it, forget it, and it would be billed for ever
     * @throws UserException when one would change
     */
    public Plan plan(Map<String, ?> variables, List<String> lasting) {
        for (String name : lasting) {
            JsonNode before = variable(name);
            JsonNode now = JSON.valueToTree(variables.get(name));
            if (!before.isMissingNode() && !before.equals(now) && !state().isEmpty()) {
                throw new UserException("what is in " + folder + " was made with " + name + " " + words(before)
                        + ", not " + words(now) + "; say the same, or destroy it first, or take another name");
            }
        }
        try {
            Files.write(folder.resolve(VARIABLES), JSON.writeValueAsBytes(variables));
        } catch (IOException e) {
            throw new EnvironmentException("cannot write " + folder.resolve(VARIABLES) + ": " + e.getMessage(), e);
        }
        quietly("plan", "plan", "-input=false", "-no-color", "-out=" + PLAN);
        return Plan.of(json("show", "-json", PLAN));
    }

    private static String words(JsonNode value) {
        return value.isTextual() ? value.asText() : value.toString();
    }

    /** Forgets what was planned. */
    public void forgetPlan() {
        try {
            Files.deleteIfExists(folder.resolve(PLAN));
        } catch (IOException e) {
            throw new EnvironmentException("cannot delete " + folder.resolve(PLAN) + ": " + e.getMessage(), e);
        }
    }

    /** What a variable was when it was planned last; missing when it never was. */
    public JsonNode variable(String name) {
        Path file = folder.resolve(VARIABLES);
        try {
            return Files.exists(file) ? JSON.readTree(file.toFile()).path(name) : MissingNode.getInstance();
        } catch (IOException e) {
            throw new EnvironmentException("cannot read " + file + ": " + e.getMessage(), e);
        }
    }

    /** Does what was planned last, and nothing else; shows what Terraform says. */
    public void apply() {
        aloud("apply the plan", "apply", "-input=false", PLAN);
        forgetPlan();
    }

    /** Makes the resources of one address as other variables have them. */
    public void applyOnly(String address, String variable, String value) {
        aloud(
                "change " + address,
                "apply",
                "-input=false",
                "-auto-approve",
                "-target=" + address,
                "-var",
                variable + "=" + value);
    }

    /** Deletes all that is in the state; shows what Terraform says. */
    public void destroy() {
        aloud("destroy", "destroy", "-input=false", "-auto-approve");
    }

    /** Addresses of what is in the state. */
    public List<String> state() {
        if (!hasState(folder)) {
            return List.of();
        }
        return quietly("list its state", "state", "list").lines().toList();
    }

    /** Takes resources out of the state: they stay, and Terraform knows nothing of them any more. */
    public void forget(List<String> addresses) {
        List<String> command = new ArrayList<>(List.of("state", "rm"));
        command.addAll(addresses);
        quietly("forget " + addresses, command.toArray(String[]::new));
    }

    /** Values of the configuration's outputs, as text; those that are not known are left out. */
    public Optional<String> output(String name) {
        JsonNode value = json("output", "-json").path(name).path("value");
        return value.isValueNode() && !value.isNull() ? Optional.of(value.asText()) : Optional.empty();
    }

    private JsonNode json(String... arguments) {
        String said = quietly("say what it has", arguments);
        try {
            return JSON.readTree(said);
        } catch (IOException e) {
            throw new EnvironmentException("Terraform said something that is no JSON in " + folder + ": " + said, e);
        }
    }

    /** What Terraform printed; what it warned of is only in a file, so that JSON is JSON. */
    private String quietly(String what, String... arguments) {
        Path answer = folder.resolve(ANSWER);
        Path warnings = folder.resolve(WARNINGS);
        try {
            Process process = builder(arguments)
                    .redirectOutput(answer.toFile())
                    .redirectError(warnings.toFile())
                    .start();
            process.getOutputStream().close();
            int code;
            try {
                if (!process.waitFor(QUIET_MINUTES, TimeUnit.MINUTES)) {
                    throw new EnvironmentException("Terraform did not " + what + " in " + folder + " within "
                            + QUIET_MINUTES + " min; what it said so far:\n" + tail(Files.readString(warnings)));
                }
                code = process.exitValue();
            } finally {
                process.destroy();
            }
            if (code != 0) {
                throw failure(code, what, ":\n" + tail(Files.readString(warnings)));
            }
            return Files.readString(answer);
        } catch (IOException e) {
            throw new EnvironmentException("cannot run Terraform in " + folder + ": " + e.getMessage(), e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static String tail(String text) {
        List<String> lines = text.lines().filter(line -> !line.isBlank()).toList();
        return String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()));
    }

    @SuppressWarnings("try") // a hook is held, not used
    private void aloud(String what, String... arguments) {
        try {
            Process process = builder(arguments).inheritIO().start();
            // An interrupt from the keyboard reaches Terraform as it does this process: its state must be written
            // first.
            int code;
            try (StopHook wait = new StopHook("terraform-end", () -> awaitEnd(process))) {
                code = process.waitFor();
            }
            if (code != 0) {
                throw failure(code, what, "; it says why above. What was done is in its state: try again, or destroy");
            }
        } catch (IOException e) {
            throw new EnvironmentException("cannot run Terraform in " + folder + ": " + e.getMessage(), e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static void awaitEnd(Process process) {
        try {
            process.waitFor(ENDING_MINUTES, TimeUnit.MINUTES);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private ProcessBuilder builder(String... arguments) {
        List<String> command = new ArrayList<>(List.of(PROGRAM));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.environment().putAll(environment);
        builder.environment().put("TF_IN_AUTOMATION", "1");
        builder.environment().put("CHECKPOINT_DISABLE", "1");
        return builder;
    }

    private EnvironmentException failure(int code, String what, String why) {
        return new EnvironmentException(
                "Terraform could not " + what + " in " + folder + " (exit code " + code + ")" + why);
    }

    private EnvironmentException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new EnvironmentException("interrupted while Terraform was at work in " + folder, e);
    }
}
