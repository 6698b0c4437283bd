package dev.millrace.deploy.infrastructure;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.millrace.core.process.ProcessLock;
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
import org.jspecify.annotations.Nullable;

/**
 * Terraform at work in a folder: a copy of a configuration, the variables, the state and what Terraform fetched. The clone stays as
 * it is. One at a time has a folder, until it is closed. Not thread-safe.
 */
public final class Terraform implements AutoCloseable {
    /** A folder of providers as {@code terraform init -plugin-dir} takes it, for machines that cannot fetch any. */
    public static final String PLUGINS = "MILLRACE_TERRAFORM_PLUGINS";

    private static final String PROGRAM = "terraform";
    private static final String ENDING = ".tf";
    /** Of what is planned or destroyed now; Terraform reads it by its ending. */
    private static final String VARIABLES = "millrace.auto.tfvars.json";
    /** Of what is in the state; a plan that nobody applies leaves them alone. */
    private static final String APPLIED = "applied-variables.json";
    /** Terraform reads such files in the order of their names: after what is written here, and before a person's own file. */
    private static final String TAKEN_ALONG = "millrace.own.auto.tfvars.json";

    private static final String LOCK = "millrace.lock";
    /** Who has the lock, in words. */
    private static final String HOLDER = "holder.txt";
    /** Of this process: what another one plans meanwhile was not shown to who says yes here. */
    private static final String PLAN = "plan-" + ProcessHandle.current().pid();

    private static final String STATE = "terraform.tfstate";
    private static final String ANSWER = "answer.txt";
    private static final String WARNINGS = "warnings.txt";
    private static final int TAIL_LINES = 30;
    /** The first time it fetches its provider. */
    private static final long QUIET_MINUTES = 15;

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path folder;
    private final Map<String, String> environment;
    private final ProcessLock lock;
    /** Variables of the plan that {@link #apply} does; null before there is one. */
    private byte @Nullable [] planned;

    private Terraform(Path folder, Map<String, String> environment, ProcessLock lock) {
        this.folder = folder;
        this.environment = environment;
        this.lock = lock;
    }

    /**
     * Takes the folder, copies the configuration into it and fetches its providers.
     *
     * @param environment beside that of this process
     * @param who the command that is at work, for others that want the folder meanwhile
     * @throws UserException another one has the folder
     */
    public static Terraform in(Path folder, Path configuration, Map<String, String> environment, String who) {
        Terraform terraform = new Terraform(folder, Map.copyOf(environment), lock(folder));
        try {
            terraform.prepare(configuration, who);
            return terraform;
        } catch (RuntimeException e) {
            terraform.close();
            throw e;
        }
    }

    private static ProcessLock lock(Path folder) {
        Path holder = folder.resolve(HOLDER);
        String who = "another command";
        try {
            if (Files.exists(holder)) {
                who = Files.readString(holder);
            }
        } catch (IOException e) {
            // It has just ended; if not, its name is all that is lacking.
        }
        return ProcessLock.take(
                folder.resolve(LOCK), who + " is at work in " + folder + "; wait for its end, or answer what it asks");
    }

    private void prepare(Path configuration, String who) {
        try {
            // A state may hold what only its owner should read.
            OwnerOnly.folder(Files.createDirectories(folder));
            Files.writeString(
                    folder.resolve(HOLDER),
                    who + " (process " + ProcessHandle.current().pid() + ")");
            Files.deleteIfExists(folder.resolve(TAKEN_ALONG));
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
        quietly("prepare the folder", init.toArray(String[]::new));
    }

    /** Lets others have the folder; once more does nothing. */
    @Override
    public void close() {
        lock.close();
    }

    /** Has Terraform read variables of a person's own that are kept elsewhere, after those of a plan; nothing when there are none. */
    public void takeAlong(Path variables) {
        try {
            if (Files.exists(variables)) {
                Files.copy(variables, folder.resolve(TAKEN_ALONG), StandardCopyOption.REPLACE_EXISTING);
            }
        } catch (IOException e) {
            throw new EnvironmentException("cannot copy " + variables + " to " + folder + ": " + e.getMessage(), e);
        }
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
            planned = JSON.writeValueAsBytes(variables);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("variables that are no JSON: " + variables, e);
        }
        write(VARIABLES, planned);
        quietly("plan", "plan", "-input=false", "-no-color", "-out=" + PLAN);
        return Plan.of(json("show", "-json", PLAN));
    }

    private void write(String name, byte[] content) {
        try {
            Files.write(folder.resolve(name), content);
        } catch (IOException e) {
            throw new EnvironmentException("cannot write " + folder.resolve(name) + ": " + e.getMessage(), e);
        }
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

    /** What a variable was when it was applied last; missing when it never was. */
    public JsonNode variable(String name) {
        // A folder of before there were two such files has those of its last plan.
        Path applied = folder.resolve(APPLIED);
        Path file = Files.exists(applied) ? applied : folder.resolve(VARIABLES);
        try {
            return Files.exists(file) ? JSON.readTree(file.toFile()).path(name) : MissingNode.getInstance();
        } catch (IOException e) {
            throw new EnvironmentException("cannot read " + file + ": " + e.getMessage(), e);
        }
    }

    /** Does what was planned last, and nothing else; shows what Terraform says. */
    public void apply() {
        if (planned == null) {
            throw new IllegalStateException("nothing was planned");
        }
        // Before, as what is made is there even when this process ends with it.
        write(APPLIED, planned);
        aloud("apply the plan", "apply", "-input=false", PLAN);
        forgetPlan();
    }

    /** Makes the resources of one address as other variables have them. */
    public void applyOnly(String address, String variable, String value) {
        useApplied();
        aloud(
                "change " + address,
                "apply",
                "-input=false",
                "-auto-approve",
                "-target=" + address,
                "-var",
                variable + "=" + value);
    }

    /** Deletes all that is in the state, by the variables that it was made with; shows what Terraform says. */
    public void destroy() {
        useApplied();
        aloud("destroy", "destroy", "-input=false", "-auto-approve");
    }

    /** A later plan may have been for another size or region, where Terraform would look in vain. */
    private void useApplied() {
        Path applied = folder.resolve(APPLIED);
        try {
            if (Files.exists(applied)) {
                Files.copy(applied, folder.resolve(VARIABLES), StandardCopyOption.REPLACE_EXISTING);
            }
        } catch (IOException e) {
            throw new EnvironmentException("cannot copy " + applied + ": " + e.getMessage(), e);
        }
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

    @SuppressWarnings("try") // it is held, not used
    private void aloud(String what, String... arguments) {
        // An interrupt from the keyboard reaches Terraform as it does this process: its state must be written first.
        try (Unfinished terraform = new Unfinished()) {
            int code = builder(arguments).inheritIO().start().waitFor();
            if (code != 0) {
                throw failure(code, what, "; it says why above. What was done is in its state: try again, or destroy");
            }
        } catch (IOException e) {
            throw new EnvironmentException("cannot run Terraform in " + folder + ": " + e.getMessage(), e);
        } catch (InterruptedException e) {
            throw interrupted(e);
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
