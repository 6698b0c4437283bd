package dev.millrace.deploy.kubernetes.manifest;

import dev.millrace.connectors.api.lint.SettingLine;
import dev.millrace.core.settings.Options;
import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.local.StackSettings;
import dev.millrace.deploy.local.StackState;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The files of settings beside the manifests, as far as they are the stack's own. Those of a broker's server are held against that
 * server in the broker's own module.
 */
final class SettingsRule implements Rule {
    private static final Pattern ADDRESS = Pattern.compile("(?:^|//|,)([a-z][a-z0-9.-]*):(\\d+)");
    private static final Pattern SECRET =
            Pattern.compile("(?i)password|passwd|secret|credential|token|api[-_.]?key|private[-_.]?key|jaas|keystore");

    private static final Pattern MOUNTED = Pattern.compile("/etc/millrace/([^,]+)");
    private static final List<String> CLIENTS =
            List.of(StackState.JOB_MANAGER, StackState.TASK_MANAGER, StackState.GENERATOR);

    private final LogSettings logs = new LogSettings();

    @Override
    public void check(Stack stack, Consumer<Finding> found) {
        stack.configMaps().values().stream().flatMap(List::stream).forEach(file -> {
            repeated(file, found);
            switch (file.name()) {
                case "stack.properties" -> settings(stack, file, found);
                case "broker.properties" -> addresses(stack, file, found);
                case "log4j2.properties" -> logs.check(file).forEach(found);
                default -> {}
            }
        });
        stack.objects().stream().map(Manifest::object).forEach(object -> noSecret(object, found));
    }

    private static void repeated(SettingsFile file, Consumer<Finding> found) {
        Set<String> before = new HashSet<>();
        for (SettingLine line : file.lines()) {
            if (!before.add(line.key())) {
                found.accept(file.finding(line, "it is there twice"));
            }
            // Where a key is, and of what kind, everybody may know.
            boolean isPlace = line.value().startsWith("/") || line.key().endsWith(".type");
            if (SECRET.matcher(line.key()).find() && !isPlace) {
                found.accept(file.finding(line, "this looks like a secret; those are in the Secret of the stack"));
            }
        }
    }

    private static void settings(Stack stack, SettingsFile file, Consumer<Finding> found) {
        try {
            StackSettings settings = StackSettings.bind(file.name(), Options.of(file.values()));
            if (!settings.broker().equals(stack.broker())) {
                found.accept(new Finding(file.file(), 1, "", "broker", "it must be '" + stack.broker() + "'"));
            }
        } catch (UserException e) {
            found.accept(new Finding(
                    file.file(), 1, "", String.join(" ", file.values().keySet()), e.getMessage()));
        }
    }

    /**
     * Every address is a service of this stack, with that port. What a client is told besides ({@code client.*}) the plugin's own tests
     * look at; here, that the files are there.
     */
    private static void addresses(Stack stack, SettingsFile file, Consumer<Finding> found) {
        for (SettingLine line : file.lines()) {
            if (line.key().startsWith("client.")) {
                files(stack, file, line, found);
                continue;
            }
            List<MatchResult> addresses =
                    ADDRESS.matcher(line.value()).results().toList();
            if (addresses.isEmpty()) {
                found.accept(file.finding(line, "it must be the address of a service"));
            }
            for (MatchResult address : addresses) {
                boolean isThere = stack.kind("Service")
                        .filter(service -> service.is("metadata.name", address.group(1)))
                        .flatMap(service -> service.items("spec.ports").stream())
                        .anyMatch(port -> port.is("port", address.group(2)));
                if (!isThere) {
                    found.accept(file.finding(line, "there is no service " + address.group()));
                }
            }
        }
    }

    private static void files(Stack stack, SettingsFile file, SettingLine line, Consumer<Finding> found) {
        for (MatchResult path : MOUNTED.matcher(line.value()).results().toList()) {
            List<String> without = stack.workloads().stream()
                    .filter(workload -> CLIENTS.contains(workload.name()))
                    .filter(workload -> workload.pod().items("volumes").stream()
                            .flatMap(volume -> volume.items("projected.sources").stream())
                            .flatMap(source -> source.items("secret.items").stream())
                            .noneMatch(item -> item.is("path", path.group(1))))
                    .map(Workload::name)
                    .toList();
            if (!without.isEmpty()) {
                found.accept(file.finding(line, "there is no " + path.group() + " in the pods of " + without));
            }
        }
    }

    private static void noSecret(Field field, Consumer<Finding> found) {
        for (Field variable : variables(field)) {
            if (SECRET.matcher(variable.text("name")).find()
                    && variable.find("value").isPresent()) {
                found.accept(variable.nearest("value").finding("this looks like a secret; name one by valueFrom"));
            }
        }
    }

    private static List<Field> variables(Field object) {
        return Stream.of("initContainers", "containers")
                .flatMap(containers -> object.items("spec.template.spec." + containers).stream())
                .flatMap(container -> container.items("env").stream())
                .toList();
    }
}
