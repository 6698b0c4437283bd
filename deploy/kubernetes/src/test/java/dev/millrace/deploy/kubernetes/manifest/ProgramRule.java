package dev.millrace.deploy.kubernetes.manifest;

import dev.millrace.deploy.command.PrepareCommand;
import dev.millrace.deploy.local.StackState;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import picocli.CommandLine;

/** What is started in the pods: our images, our programs, and paths that are there in a pod. */
final class ProgramRule implements Rule {
    private static final List<String> PARTS =
            List.of(StackState.STORE, StackState.JOB_MANAGER, StackState.TASK_MANAGER, StackState.GENERATOR);

    /** Asked whether they live; a part that is not here is asked by its port. */
    private static final Map<String, String> HEALTH =
            Map.of(StackState.STORE, "/ping", StackState.JOB_MANAGER, "/overview", StackState.GENERATOR, "/state");

    private static final String ADDRESS = "POD_IP";
    /** Settings of the machine's own libraries, which no argument names. */
    private static final List<String> LIBRARIES = List.of("MALLOC_ARENA_MAX");

    private final Map<String, String> folders;

    ProgramRule() {
        folders = new CommandLine(new PrepareCommand())
                .getCommandSpec().options().stream()
                        .filter(option -> option.longestName().endsWith("-dir"))
                        .collect(Collectors.toMap(
                                option -> option.longestName().replaceAll("--|-dir", ""),
                                CommandLine.Model.OptionSpec::defaultValue));
    }

    @Override
    public void check(Stack stack, Consumer<Finding> found) {
        List<String> there = stack.workloads().stream().map(Workload::name).toList();
        TreeSet<String> missing = new TreeSet<>(PARTS);
        missing.add(stack.broker());
        missing.removeAll(there);
        for (Workload workload : stack.workloads()) {
            boolean isPart = PARTS.contains(workload.name());
            if (!isPart && !workload.name().equals(stack.broker())) {
                found.accept(workload.object()
                        .nearest("metadata.name")
                        .finding("there is no such part; missing: " + missing));
            }
            if (!workload.running().isEmpty() && !workload.running().get(0).is("name", workload.name())) {
                found.accept(workload.running().get(0).nearest("name").finding("it must be called as its part is"));
            }
            for (Field container : workload.containers()) {
                container(stack, workload, container, found);
            }
            if (isPart) {
                own(workload, found);
            }
        }
        if (!missing.isEmpty() && there.size() < PARTS.size() + 1) {
            found.accept(new Finding(Manifests.BASE, 1, "", "", "nothing runs " + missing));
        }
    }

    private void container(Stack stack, Workload workload, Field container, Consumer<Finding> found) {
        String image = PARTS.contains(workload.name()) ? Workload.OWN_IMAGE : Workload.BROKER_IMAGE;
        if (!container.is("image", image)) {
            found.accept(container.nearest("image").finding("it must be the logical name '" + image + "'"));
        }
        if (!container.items("command").stream().map(Field::text).toList().equals(List.of("java"))) {
            found.accept(container.nearest("command").finding("what runs in our images is java"));
        }
        boolean hasScratch = container.items("volumeMounts").stream().anyMatch(mount -> mount.is("mountPath", "/tmp"));
        if (!hasScratch) {
            found.accept(container
                    .nearest("volumeMounts")
                    .finding("java wants to write to /tmp, and nothing else may be written"));
        }
        String arguments = container.items("args").stream().map(Field::text).collect(Collectors.joining("\n"));
        for (Field variable : container.items("env")) {
            String name = variable.text("name");
            if (!arguments.contains("$(" + name + ")") && !LIBRARIES.contains(name) && !name.equals(ADDRESS)) {
                found.accept(variable.nearest("name").finding("nothing takes " + name));
            }
        }
        String started = container.text("startupProbe.httpGet.path");
        String ready = container.text("readinessProbe.httpGet.path");
        if (!started.isEmpty() && !ready.isEmpty() && !started.equals(ready)) {
            found.accept(
                    container.nearest("readinessProbe.httpGet.path").finding("it is not what the start waits for"));
        }
        if (image.equals(Workload.BROKER_IMAGE)) {
            new ServerArguments(stack, workload, container).check(found);
        }
    }

    /** Our own programs: prepared by a first container, run by the second, with the same folders. */
    private void own(Workload workload, Consumer<Finding> found) {
        List<Field> containers = workload.containers();
        if (containers.size() != 2 || !containers.get(0).is("name", "prepare")) {
            found.accept(workload.pod()
                    .nearest("initContainers")
                    .finding("a first container 'prepare' must come before the part"));
            return;
        }
        arguments(containers.get(0), List.of("@/opt/millrace/java.args", "prepare", workload.name()), found);
        arguments(containers.get(1), List.of("@" + folders.get("run") + "/java.args"), found);
        boolean hasAddress = containers.get(0).items("env").stream()
                .anyMatch(variable ->
                        variable.is("name", ADDRESS) && variable.is("valueFrom.fieldRef.fieldPath", "status.podIP"));
        if (!hasAddress) {
            found.accept(containers.get(0).nearest("env").finding("the pod's address is wanted as " + ADDRESS));
        }
        // Only Flink wants keys in another form than their Secret has.
        boolean wantsKeys =
                List.of(StackState.JOB_MANAGER, StackState.TASK_MANAGER).contains(workload.name());
        List<String> wanted = folders.entrySet().stream()
                .filter(folder -> wantsKeys || !folder.getKey().equals("keys"))
                .map(Map.Entry::getValue)
                .toList();
        for (Field container : containers) {
            for (String path : wanted) {
                if (container.items("volumeMounts").stream().noneMatch(mount -> mount.is("mountPath", path))) {
                    found.accept(container.nearest("volumeMounts").finding("nothing is mounted at " + path));
                }
            }
            for (Field mount : container.items("volumeMounts")) {
                if (!wanted.contains(mount.text("mountPath")) && !mount.is("mountPath", "/tmp")) {
                    found.accept(mount.nearest("mountPath").finding("no program looks there, but in " + wanted));
                }
            }
        }
        for (String probe : List.of("startupProbe", "readinessProbe", "livenessProbe")) {
            containers
                    .get(1)
                    .find(probe + ".httpGet.path")
                    .filter(path -> !path.text().equals(HEALTH.get(workload.name())))
                    .ifPresent(path -> found.accept(path.finding("it answers at " + HEALTH.get(workload.name()))));
        }
    }

    private static void arguments(Field container, List<String> wanted, Consumer<Finding> found) {
        if (!container.items("args").stream().map(Field::text).toList().equals(wanted)) {
            found.accept(container.nearest("args").finding("the arguments must be " + wanted));
        }
    }
}
