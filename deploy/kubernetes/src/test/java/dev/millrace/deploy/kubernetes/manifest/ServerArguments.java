package dev.millrace.deploy.kubernetes.manifest;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The command line of a broker's server: flags that Java has, paths that the pod has, less memory than the pod may take. */
record ServerArguments(Stack stack, Workload workload, Field container) {
    private static final HotSpotDiagnosticMXBean JAVA =
            ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
    private static final Pattern FLAG = Pattern.compile("-XX:[-+]?(\\w+)(=\\w+)?");
    private static final Pattern OPENED = Pattern.compile("--add-opens=([a-z.]+)/([a-z.]+)=ALL-UNNAMED");
    private static final Pattern PATH = Pattern.compile("(?<=^|=)/[\\w./*-]+");
    private static final Pattern MEMORY =
            Pattern.compile("-(?:Xmx|XX:(?:MaxDirectMemorySize|MaxMetaspaceSize|ReservedCodeCacheSize)=)(\\d+)m");

    void check(Consumer<Finding> found) {
        for (Field argument : container.items("args")) {
            if (argument.text().startsWith("-X")
                    || argument.text().startsWith("--add")
                    || argument.text().startsWith("-D")) {
                flag(argument, found);
            }
            PATH.matcher(argument.text())
                    .results()
                    .map(MatchResult::group)
                    .forEach(path -> path(argument, path, found));
            Pattern.compile("\\$\\((\\w+)\\)")
                    .matcher(argument.text())
                    .results()
                    .forEach(variable -> {
                        if (container.items("env").stream().noneMatch(one -> one.is("name", variable.group(1)))) {
                            found.accept(argument.finding("there is no variable " + variable.group(1)));
                        }
                    });
        }
        memory(found);
        files(found);
        mounts(found);
    }

    private static void flag(Field argument, Consumer<Finding> found) {
        String text = argument.text();
        boolean isRight = text.matches("-Xm[sx]\\d+m|-D[a-zA-Z][\\w.]*=(/.+|[^/]+)") || hasFlag(text) || opens(text);
        if (!isRight) {
            found.accept(argument.finding("java has no '" + text + "'"));
        }
    }

    private static boolean hasFlag(String text) {
        var flag = FLAG.matcher(text);
        if (!flag.matches()) {
            return false;
        }
        try {
            String value = JAVA.getVMOption(flag.group(1)).getValue();
            boolean isSwitch = value.equals("true") || value.equals("false");
            return isSwitch == text.matches("-XX:[-+].*")
                    && isSwitch == (flag.group(2) == null)
                    && (isSwitch || flag.group(2).matches("=\\d+m?"));
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static boolean opens(String text) {
        var opened = OPENED.matcher(text);
        return opened.matches()
                && ModuleLayer.boot()
                        .findModule(opened.group(1))
                        .filter(module -> module.getPackages().contains(opened.group(2)))
                        .isPresent();
    }

    /** Below a folder that is mounted; a ConfigMap has the file. */
    private void path(Field argument, String path, Consumer<Finding> found) {
        if (path.equals("/opt/" + stack.broker() + "/lib/*")) {
            return;
        }
        Map<String, Field> volumes = workload.volumes();
        List<Field> mounts = container.items("volumeMounts").stream()
                .filter(mount -> (path + "/").startsWith(mount.text("mountPath") + "/"))
                .toList();
        if (mounts.isEmpty()) {
            found.accept(argument.finding("nothing is mounted at " + path));
            return;
        }
        Field volume = volumes.get(mounts.get(0).text("name"));
        if (volume != null && volume.find("configMap").isPresent()) {
            List<String> files =
                    workload.settings(volume).stream().map(SettingsFile::name).toList();
            String name = path.substring(
                    Math.min(path.length(), mounts.get(0).text("mountPath").length() + 1));
            if (!files.contains(name)) {
                found.accept(argument.finding("there is no file '" + name + "' in the ConfigMap; there are " + files));
            }
        }
    }

    private void memory(Consumer<Finding> found) {
        long sum = container.items("args").stream()
                .map(argument -> MEMORY.matcher(argument.text()))
                .filter(matcher -> matcher.matches())
                .mapToLong(matcher -> Long.parseLong(matcher.group(1)) << 20)
                .sum();
        if (sum > Formats.bytes(container.text("resources.limits.memory"))) {
            found.accept(container.nearest("resources.limits.memory").finding("java may take " + (sum >> 20) + "Mi"));
        }
    }

    /** Nothing is mounted where nobody looks. */
    private void mounts(Consumer<Finding> found) {
        List<String> named = Stream.concat(
                        container.items("args").stream().map(Field::text),
                        workload.volumes().values().stream()
                                .flatMap(volume -> workload.settings(volume).stream())
                                .flatMap(file -> file.values().values().stream()))
                .toList();
        for (Field mount : container.items("volumeMounts")) {
            String path = mount.text("mountPath");
            boolean isNamed = path.equals("/tmp")
                    || named.stream().anyMatch(text -> text.startsWith(path + "/") || text.contains("=" + path + "/"));
            if (!isNamed) {
                found.accept(mount.nearest("mountPath").finding("neither the arguments nor the settings name it"));
            }
        }
    }

    /** Folders that the server's own settings name. */
    private void files(Consumer<Finding> found) {
        for (Field volume : workload.volumes().values()) {
            for (SettingsFile file : workload.settings(volume)) {
                file.lines().stream()
                        .filter(line -> line.value().startsWith("/"))
                        .filter(line -> container.items("volumeMounts").stream()
                                .noneMatch(mount -> line.value().startsWith(mount.text("mountPath") + "/")))
                        .forEach(line -> found.accept(file.finding(
                                line, "nothing is mounted at " + line.value() + " in " + workload.name())));
            }
        }
    }
}
