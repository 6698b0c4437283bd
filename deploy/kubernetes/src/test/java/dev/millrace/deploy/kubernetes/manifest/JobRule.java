package dev.millrace.deploy.kubernetes.manifest;

import dev.millrace.connectors.api.store.ResultStores;
import dev.millrace.connectors.job.Main;
import dev.millrace.connectors.job.StackJob;
import dev.millrace.core.settings.Options;
import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.kubernetes.production.ToldAlike;
import dev.millrace.deploy.local.Installation;
import dev.millrace.deploy.local.StackSettings;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What job and generator are told, bound as they bind it, and what Flink's own settings say of the same things. The options of a broker are
 * held against it in its own module, those of the store and of Flink in {@link PackagedSettingsTest}.
 */
final class JobRule implements ProductionRule {
    private static final String JOB = Production.NEUTRAL + "/job.properties";
    private static final String GENERATOR = Production.NEUTRAL + "/generator.yaml";
    private static final String FLINK = Production.NEUTRAL + "/flink.yaml";
    /** What is done to a container of the operator's, and so found by its name. */
    private static final String MAIN_CONTAINER = "flink-main-container";

    @Override
    public void check(Production production, Consumer<Finding> found) {
        SettingsFile job = production.files().settings().get(JOB);
        for (String broker : production.brokers()) {
            SettingsFile stack = production.files().settings().get(Production.folder(broker) + "/stack.properties");
            stack(broker, stack, job, found);
            job(job, stack, found);
        }
        production
                .in(FLINK)
                .filter(one -> one.kind().equals("FlinkDeployment"))
                .map(Manifest::object)
                .forEach(flink -> {
                    flink(flink, job, found);
                    production
                            .in(GENERATOR)
                            .map(Manifest::object)
                            .forEach(generator -> verbs(generator, flink.text("metadata.name"), found));
                });
    }

    /** Verbs that run beside the generator find the job by the service that Flink's operator makes, and the store's password where the job has it. */
    private static void verbs(Field generator, String job, Consumer<Finding> found) {
        String url = "http://" + job + "-rest:8081";
        generator.items("spec.template.spec.initContainers").stream()
                .filter(container -> container.is("name", "prepare"))
                .forEach(container -> {
                    List<String> arguments =
                            container.items("args").stream().map(Field::text).toList();
                    if (!arguments.equals(
                            List.of("@/opt/millrace/java.args", "prepare", "generator", "--job-url", url))) {
                        found.accept(container.nearest("args").finding("prepare generator --job-url " + url));
                    }
                });
        boolean isMounted = generator.items("spec.template.spec.containers").stream()
                .flatMap(container -> container.items("volumeMounts").stream())
                .anyMatch(mount -> mount.is("mountPath", "/etc/store") && mount.is("name", "store-secret"));
        if (!isMounted) {
            found.accept(
                    generator.nearest("spec.template.spec.containers").finding("nothing is mounted at /etc/store"));
        }
        List<String> files = generator.items("spec.template.spec.volumes").stream()
                .filter(volume -> volume.is("name", "store-secret"))
                .flatMap(volume -> volume.items("projected.sources").stream())
                .flatMap(source -> source.items("secret.items").stream())
                .map(item -> item.text("path"))
                .toList();
        if (!files.containsAll(List.of("ca.crt", "password"))) {
            found.accept(generator
                    .nearest("spec.template.spec.volumes")
                    .finding("store-secret must have ca.crt and password"));
        }
    }

    private static void stack(String broker, SettingsFile stack, SettingsFile job, Consumer<Finding> found) {
        if (!stack.values().getOrDefault("broker", "").equals(broker)) {
            found.accept(new Finding(stack.file(), 1, "", "broker", "it must be '" + broker + "'"));
        }
        try {
            StackSettings.bind(stack.name(), Options.of(stack.values()));
        } catch (UserException e) {
            found.accept(finding(stack, e));
        }
        Map<String, String> values = job.values();
        ToldAlike.KEYS.forEach((key, same) -> {
            if (!stack.values().getOrDefault(key, "").equals(values.getOrDefault(same, ""))) {
                found.accept(
                        new Finding(stack.file(), 1, "", key, "it must be what " + JOB + " has: " + values.get(same)));
            }
        });
        number(stack, "partitions", values.getOrDefault("parallelism", ""), found);
    }

    /** So many for each subtask. */
    private static void number(SettingsFile stack, String key, String parallelism, Consumer<Finding> found) {
        String partitions = stack.values().getOrDefault(key, "");
        boolean isEven = partitions.matches("\\d{1,4}")
                && parallelism.matches("\\d{1,3}")
                && Integer.parseInt(partitions) % Integer.parseInt(parallelism) == 0;
        if (!isEven) {
            found.accept(new Finding(stack.file(), 1, "", key, "each of " + parallelism + " subtasks has as many"));
        }
    }

    private static Finding finding(SettingsFile file, RuntimeException e) {
        return new Finding(file.file(), 1, "", String.join(" ", file.values().keySet()), e.getMessage());
    }

    private static void job(SettingsFile job, SettingsFile stack, Consumer<Finding> found) {
        Map<String, String> told = new LinkedHashMap<>(job.values());
        told.put("broker", stack.values().getOrDefault("broker", ""));
        try {
            StackJob bound = StackJob.of(Options.of(told), job.name());
            store(job, bound, found);
            if (!bound.topic().equals("readings") || !bound.readerGroup().equals("millrace")) {
                found.accept(new Finding(job.file(), 1, "", "topic reader-group", "others are allowed to nobody"));
            }
        } catch (UserException e) {
            found.accept(finding(job, e));
        }
    }

    /** In the folder that flink.yaml mounts. */
    private static void store(SettingsFile job, StackJob bound, Consumer<Finding> found) {
        for (String file : List.of("password-file=password", "ca-file=ca.crt")) {
            String[] pair = file.split("=");
            if (!bound.storeOptions().get(pair[0]).orElse("").equals("/etc/store/" + pair[1])) {
                found.accept(new Finding(job.file(), 1, "", "store." + pair[0], "it is in /etc/store/" + pair[1]));
            }
        }
        if (ResultStores.named(bound.store()).isEmbedded()) {
            found.accept(new Finding(job.file(), 1, "", "store", "an embedded store is one pod"));
        }
    }

    private static void flink(Field flink, SettingsFile job, Consumer<Finding> found) {
        Map<String, String> told = job.values();
        Map<String, Field> configuration = flink.fields("spec.flinkConfiguration");
        same(flink, "spec.job.parallelism", told.get("parallelism"), found);
        same(configuration.get("state.checkpoints.dir"), flink, told.get("checkpoint-directory"), found);
        same(configuration.get("state.backend.rocksdb.localdir"), flink, told.get("state-directory"), found);
        same(flink, "spec.job.entryClass", Main.class.getName(), found);
        same(flink, "spec.job.jarURI", "local:///opt/flink/usrlib/millrace-job.jar", found);
        same(flink, "spec.job.upgradeMode", "savepoint", found);
        same(flink, "spec.job.state", "running", found);
        same(flink, "spec.mode", "standalone", found);
        same(flink, "spec.flinkVersion", "v1_20", found);
        same(flink, "spec.image", "millrace", found);
        List<String> arguments =
                flink.items("spec.job.args").stream().map(Field::text).toList();
        if (!arguments.equals(List.of("--settings", "/run/millrace/job.properties"))) {
            found.accept(flink.nearest("spec.job.args").finding("prepare.sh writes /run/millrace/job.properties"));
        }
        buckets(configuration, flink, found);
        slots(flink, configuration, found);
        pods(flink, found);
    }

    private static void buckets(Map<String, Field> configuration, Field flink, Consumer<Finding> found) {
        for (String key : List.of("state.checkpoints.dir", "state.savepoints.dir", "high-availability.storageDir")) {
            boolean isThere = Optional.ofNullable(configuration.get(key))
                    .filter(value -> value.text().matches("s3://millrace-state/[a-z]+"))
                    .isPresent();
            if (!isThere) {
                found.accept(flink.nearest("spec.flinkConfiguration").finding(key + " must be in s3://millrace-state"));
            }
        }
        same(configuration.get("high-availability.type"), flink, "kubernetes", found);
        same(configuration.get("env.java.opts.all"), flink, String.join(" ", Installation.addOpens()), found);
        same(configuration.get("state.backend.type"), flink, "rocksdb", found);
        same(configuration.get("metrics.reporter.prom.port"), flink, "9249", found);
    }

    /** The subtasks fill the TaskManagers' slots, so that no slot waits for nothing. */
    private static void slots(Field flink, Map<String, Field> configuration, Consumer<Finding> found) {
        Field slots = configuration.getOrDefault("taskmanager.numberOfTaskSlots", flink);
        String parallelism = flink.text("spec.job.parallelism");
        boolean isFull = slots.text().matches("[1-9]\\d?")
                && parallelism.matches("\\d{1,3}")
                && Integer.parseInt(parallelism) % Integer.parseInt(slots.text()) == 0;
        if (!isFull) {
            found.accept(slots.finding("a whole number of TaskManagers has " + parallelism + " slots"));
        }
    }

    private static void pods(Field flink, Consumer<Finding> found) {
        Tree.named(flink, "containers")
                .flatMap(list -> list.items().stream())
                .filter(container -> !container.is("name", MAIN_CONTAINER))
                .forEach(container -> found.accept(
                        container.nearest("name").finding("the operator's container is called " + MAIN_CONTAINER)));
        boolean hasDisk = Tree.named(flink.nearest("spec.taskManager"), "mountPath")
                .anyMatch(path -> path.text().equals("/var/lib/rocksdb"));
        if (!hasDisk) {
            found.accept(flink.nearest("spec.taskManager").finding("nothing is mounted at /var/lib/rocksdb"));
        }
        for (String path : List.of("/etc/broker", "/etc/store", "/run/millrace", "/opt/flink/usrlib")) {
            boolean isMounted = flink.items("spec.podTemplate.spec.containers").stream()
                    .flatMap(container -> container.items("volumeMounts").stream())
                    .anyMatch(mount -> mount.is("mountPath", path));
            if (!isMounted) {
                found.accept(
                        flink.nearest("spec.podTemplate.spec.containers").finding("nothing is mounted at " + path));
            }
        }
        flink.items("spec.podTemplate.spec.initContainers").forEach(container -> {
            List<String> command =
                    container.items("command").stream().map(Field::text).toList();
            if (!command.equals(List.of("bash", "/etc/millrace/prepare.sh", "/run/millrace"))) {
                found.accept(container.nearest("command").finding("bash /etc/millrace/prepare.sh /run/millrace"));
            }
        });
    }

    private static void same(Field flink, String path, String wanted, Consumer<Finding> found) {
        same(flink.find(path).orElse(null), flink.nearest("spec"), wanted, found);
    }

    private static void same(Field field, Field nearest, String wanted, Consumer<Finding> found) {
        if (field == null) {
            found.accept(nearest.finding("a field with the value '" + wanted + "' is missing"));
        } else if (!field.text().equals(wanted)) {
            found.accept(field.finding("it must be '" + wanted + "'"));
        }
    }
}
