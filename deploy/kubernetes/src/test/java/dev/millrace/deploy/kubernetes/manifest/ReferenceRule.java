package dev.millrace.deploy.kubernetes.manifest;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/** Whatever a pod names is there: accounts, ConfigMaps, Secrets and their keys, claims, volumes. */
final class ReferenceRule implements Rule {
    /** Made when a stack is brought up, with these keys; nobody else's. */
    private static final Map<String, List<String>> SECRETS = Map.of("millrace", List.of("store.id", "broker.id"));

    /** The Secret of a part's certificate is called after it; what JobManager and TaskManagers share is Flink's. */
    private static final String CERTIFICATE = "-tls";

    private static final String SHARED = "flink";
    private static final List<String> PRIVATE = List.of("tls.key", "tls-combined.pem");
    private static final List<String> CERTIFICATE_KEYS = List.of("ca.crt", "tls.crt", "tls.key", "tls-combined.pem");

    @Override
    public void check(Stack stack, Consumer<Finding> found) {
        for (Workload workload : stack.workloads()) {
            one("ServiceAccount", workload.pod().nearest("serviceAccountName"), stack.names("ServiceAccount"), found);
            workload.pod().items("volumes").forEach(volume -> volume(stack, workload, volume, found));
            mounts(workload, found);
            for (Field container : workload.containers()) {
                container.items("env").forEach(variable -> variable(variable, found));
            }
            workload.object().items("spec.volumeClaimTemplates").forEach(claim -> claim(claim, found));
            if (workload.object().is("kind", "StatefulSet")) {
                one("Service", workload.object().nearest("spec.serviceName"), stack.names("Service"), found);
            }
        }
        List<String> accounts = stack.workloads().stream()
                .map(workload -> workload.pod().text("serviceAccountName"))
                .toList();
        stack.kind("ServiceAccount")
                .forEach(account -> used("account", account.nearest("metadata.name"), accounts, found));
        stack.kind("PersistentVolumeClaim").forEach(claim -> {
            claim(claim, found);
            used("claim", claim.nearest("metadata.name"), claimed(stack), found);
        });
        Set<String> mapped = new HashSet<>();
        stack.workloads().forEach(workload -> workload.volumes().values().forEach(volume -> workload.settings(volume)
                .forEach(file -> mapped.add(file.file()))));
        for (Manifest kustomization : stack.kustomizations()) {
            for (Field generator : kustomization.object().items("configMapGenerator")) {
                List<SettingsFile> files = stack.configMaps().getOrDefault(generator.text("name"), List.of());
                if (!files.stream().allMatch(file -> mapped.contains(file.file()))) {
                    found.accept(generator.nearest("name").finding("no pod takes this ConfigMap"));
                }
            }
        }
    }

    private static Set<String> claimed(Stack stack) {
        Set<String> claimed = new HashSet<>();
        stack.workloads().forEach(workload -> workload.pod()
                .items("volumes")
                .forEach(volume -> claimed.add(volume.text("persistentVolumeClaim.claimName"))));
        return claimed;
    }

    private static void claim(Field claim, Consumer<Finding> found) {
        for (String wanted : List.of("spec.accessModes", "spec.resources.requests.storage")) {
            if (claim.find(wanted).isEmpty()) {
                found.accept(claim.nearest("spec").finding("a claim must say " + wanted));
            }
        }
    }

    private static void volume(Stack stack, Workload workload, Field volume, Consumer<Finding> found) {
        volume.find("configMap").ifPresent(map -> configMap(stack, map, found));
        Map<String, List<String>> secrets = secrets(stack);
        volume.find("secret.secretName").ifPresent(name -> one("Secret", name, secrets.keySet(), found));
        volume.find("persistentVolumeClaim.claimName")
                .ifPresent(name -> one("PersistentVolumeClaim", name, stack.names("PersistentVolumeClaim"), found));
        for (Field source : volume.items("projected.sources")) {
            source.find("configMap").ifPresent(map -> configMap(stack, map, found));
            source.find("secret").ifPresent(secret -> {
                String name = secret.text("name");
                one("Secret", secret.nearest("name"), secrets.keySet(), found);
                secret.items("items").forEach(item -> item(item, name, secrets.getOrDefault(name, List.of()), found));
                foreignKeys(workload, secret, name, found);
            });
        }
        volume.find("projected.defaultMode")
                .filter(mode -> !mode.text().equals("0440"))
                .ifPresent(mode -> found.accept(mode.finding("only the pod's own user and group may read: 0440")));
        volume.find("emptyDir")
                .filter(empty -> !empty.is("medium", "Memory"))
                .filter(empty -> Formats.bytes(empty.text("sizeLimit")) < 64L << 20)
                .ifPresent(empty -> found.accept(
                        empty.nearest("sizeLimit").finding("it must have a bound, and that of 64Mi or more")));
        used("volume", volume.nearest("name"), mounted(workload), found);
    }

    private static void configMap(Stack stack, Field map, Consumer<Finding> found) {
        one("ConfigMap", map.nearest("name"), stack.configMaps().keySet(), found);
        List<String> keys = stack.configMaps().getOrDefault(map.text("name"), List.of()).stream()
                .map(SettingsFile::name)
                .toList();
        map.items("items").forEach(item -> item(item, "", keys, found));
    }

    /** By name, with their keys. */
    private static Map<String, List<String>> secrets(Stack stack) {
        Map<String, List<String>> secrets = new TreeMap<>(SECRETS);
        secrets.put(SHARED + CERTIFICATE, CERTIFICATE_KEYS);
        stack.workloads().forEach(workload -> secrets.put(workload.name() + CERTIFICATE, CERTIFICATE_KEYS));
        return secrets;
    }

    /** Others' certificates may be known, their private keys not. */
    private static void foreignKeys(Workload workload, Field secret, String name, Consumer<Finding> found) {
        boolean own =
                List.of(workload.name() + CERTIFICATE, SHARED + CERTIFICATE).contains(name);
        if (name.endsWith(CERTIFICATE) && !own) {
            secret.items("items").stream()
                    .filter(item -> PRIVATE.contains(item.text("key")))
                    .forEach(item ->
                            found.accept(item.nearest("key").finding("a pod gets no other part's private key")));
        }
    }

    /** The programs look for the file by the key's name, and for a certificate's below tls, by the part's name where it is another's. */
    private static void item(Field item, String secret, Collection<String> keys, Consumer<Finding> found) {
        one("key", item.nearest("key"), keys, found);
        String key = item.text("key");
        String path = secret.endsWith(CERTIFICATE)
                ? "tls/(" + Pattern.quote(key) + "|"
                        + Pattern.quote(
                                key.replaceFirst("^tls", secret.substring(0, secret.length() - CERTIFICATE.length())))
                        + ")"
                : Pattern.quote(key);
        if (!item.text("path").matches(path)) {
            found.accept(item.nearest("path").finding("the file must be called as its key is"));
        }
    }

    private static Set<String> mounted(Workload workload) {
        Set<String> mounted = new HashSet<>();
        workload.containers()
                .forEach(
                        container -> container.items("volumeMounts").forEach(mount -> mounted.add(mount.text("name"))));
        return mounted;
    }

    private static void mounts(Workload workload, Consumer<Finding> found) {
        Map<String, Field> volumes = workload.volumes();
        for (Field container : workload.containers()) {
            Set<String> paths = new HashSet<>();
            for (Field mount : container.items("volumeMounts")) {
                one("volume", mount.nearest("name"), volumes.keySet(), found);
                if (!paths.add(mount.text("mountPath"))) {
                    found.accept(mount.nearest("mountPath").finding("two volumes are mounted there"));
                }
                Field volume = volumes.get(mount.text("name"));
                boolean isSettings = volume != null
                        && (volume.find("configMap").isPresent()
                                || volume.find("projected").isPresent());
                if (isSettings && !mount.is("readOnly", "true")) {
                    found.accept(mount.nearest("readOnly").finding("settings are mounted with readOnly: true"));
                }
            }
        }
        workload.object()
                .items("spec.volumeClaimTemplates")
                .forEach(claim -> used("claim", claim.nearest("metadata.name"), mounted(workload), found));
    }

    private static void variable(Field variable, Consumer<Finding> found) {
        variable.find("valueFrom.secretKeyRef").ifPresent(secret -> {
            one("Secret", secret.nearest("name"), SECRETS.keySet(), found);
            one("key", secret.nearest("key"), SECRETS.getOrDefault(secret.text("name"), List.of()), found);
        });
    }

    private static void one(String what, Field name, Collection<String> there, Consumer<Finding> found) {
        if (!there.contains(name.text())) {
            found.accept(
                    name.finding("there is no " + what + " '" + name.text() + "' in this stack; there are " + there));
        }
    }

    private static void used(String what, Field name, Collection<String> used, Consumer<Finding> found) {
        if (!used.contains(name.text())) {
            found.accept(name.finding("nobody uses the " + what + " '" + name.text() + "'"));
        }
    }
}
