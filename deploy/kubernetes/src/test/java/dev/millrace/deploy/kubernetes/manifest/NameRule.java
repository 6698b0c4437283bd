package dev.millrace.deploy.kubernetes.manifest;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Whatever a pod names is there: accounts, ConfigMaps and their files, volumes; Secrets, which the broker's kustomization tells of. */
final class NameRule implements ProductionRule {
    private static final String GENERATOR = "StatefulSet/generator";

    @Override
    public void check(Production production, Consumer<Finding> found) {
        for (String broker : production.brokers()) {
            List<Manifest> objects = production.objects(broker);
            Map<String, List<SettingsFile>> maps = production.configMaps(broker);
            Pattern secrets = secrets(broker);
            for (Manifest manifest : objects) {
                Field object = manifest.object();
                accounts(object, objects, found);
                Tree.named(object, "configMap").forEach(map -> configMap(map, maps, found));
                secrets(object, secrets, found);
                mounts(manifest, objects, found);
            }
            production
                    .documents()
                    .filter(one -> Stack.parent(one.file()).equals(Production.folder(broker)))
                    .filter(one -> one.object().find("operations").isPresent())
                    .forEach(one -> secrets(one.object(), secrets, found));
        }
    }

    /** Those that the comment of the broker's kustomization names, a star standing for the rest of a name. */
    private static Pattern secrets(String broker) {
        String text =
                Manifests.read(Manifests.ROOT.resolve(Production.folder(broker)).resolve(Manifests.KUSTOMIZATION));
        String names = text.lines()
                .filter(line -> line.startsWith("#"))
                .flatMap(line -> Stream.of(line.split("[^a-z*-]+")))
                .filter(word -> word.matches("[a-z]+(-[a-z]+)*(-\\*)?"))
                .filter(word -> word.contains("-") || word.equals("clickhouse"))
                .distinct()
                .map(word -> word.replace("*", "[a-z-]+"))
                .collect(Collectors.joining("|"));
        return Pattern.compile(names);
    }

    private static void secrets(Field object, Pattern secrets, Consumer<Finding> found) {
        Tree.all(object)
                .flatMap(field -> Stream.of("secret.name", "secret.secretName", "secretKeyRef.name")
                        .flatMap(name -> field.find(name).stream()))
                .filter(secret -> !secrets.matcher(secret.text()).matches())
                // Of the small size, and replaced.
                .filter(secret -> !secret.manifest().file().startsWith(Manifests.BASE))
                .forEach(secret -> found.accept(secret.finding("nobody makes the Secret '" + secret.text()
                        + "'; the broker's kustomization.yaml tells of " + secrets)));
    }

    private static void accounts(Field object, List<Manifest> objects, Consumer<Finding> found) {
        Set<String> accounts = names(objects, "ServiceAccount");
        Stream.of("spec.serviceAccount", "spec.template.spec.serviceAccountName")
                .flatMap(path -> object.find(path).stream())
                .forEach(account -> one("ServiceAccount", account, accounts, found));
        if (object.is("kind", "RoleBinding")) {
            one("Role", object.nearest("roleRef.name"), names(objects, "Role"), found);
            object.items("subjects")
                    .forEach(subject -> one("ServiceAccount", subject.nearest("name"), accounts, found));
        }
        Tree.named(object, "serviceName").forEach(name -> one("Service", name, names(objects, "Service"), found));
    }

    private static void configMap(Field map, Map<String, List<SettingsFile>> maps, Consumer<Finding> found) {
        one("ConfigMap", map.nearest("name"), maps.keySet(), found);
        List<String> files = maps.getOrDefault(map.text("name"), List.of()).stream()
                .map(SettingsFile::name)
                .toList();
        map.items("items").forEach(item -> {
            one("file", item.nearest("key"), files, found);
            if (!item.text("path").equals(item.text("key"))) {
                found.accept(item.nearest("path").finding("the file must be called as its key is"));
            }
        });
    }

    /** In one pod, and what is put on it by others: a volume that is mounted is there, and one that is there is mounted. */
    private static void mounts(Manifest manifest, List<Manifest> objects, Consumer<Finding> found) {
        List<Field> parts = new ArrayList<>(List.of(manifest.object()));
        if (manifest.id().equals(GENERATOR)) {
            objects.stream()
                    .filter(other -> other != manifest && other.id().equals(GENERATOR))
                    .forEach(other -> parts.add(other.object()));
        }
        Set<String> mounted = new TreeSet<>();
        Set<String> volumes = new TreeSet<>(Set.of("broker-secret"));
        for (Field part : parts) {
            Tree.named(part, "volumeMounts")
                    .flatMap(mounts -> mounts.items().stream())
                    .forEach(mount -> mounted.add(mount.text("name")));
            Tree.named(part, "volumes")
                    .flatMap(list -> list.items().stream())
                    .forEach(volume -> volumes.add(volume.text("name")));
            Tree.named(part, "volumeClaimTemplates")
                    .flatMap(claims -> claims.items().stream())
                    .forEach(claim -> volumes.add(claim.text("metadata.name")));
        }
        Tree.named(manifest.object(), "volumeMounts")
                .flatMap(mounts -> mounts.items().stream())
                .forEach(mount -> one("volume", mount.nearest("name"), volumes, found));
        Tree.named(manifest.object(), "volumes")
                // An operator's own list of what it stores in.
                .filter(list -> !list.path().contains("storage"))
                .flatMap(list -> list.items().stream())
                .filter(volume -> !mounted.contains(volume.text("name")))
                .forEach(volume -> found.accept(volume.nearest("name").finding("nobody mounts it")));
        Tree.named(manifest.object(), "volumeClaimTemplates")
                .flatMap(claims -> claims.items().stream())
                .filter(claim -> !mounted.contains(claim.text("metadata.name")))
                .forEach(claim -> found.accept(claim.nearest("metadata.name").finding("nobody mounts it")));
    }

    private static Set<String> names(List<Manifest> objects, String kind) {
        return objects.stream()
                .filter(object -> object.kind().equals(kind))
                .map(Manifest::name)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static void one(String what, Field name, Collection<String> there, Consumer<Finding> found) {
        if (!there.contains(name.text())) {
            found.accept(name.finding("there is no " + what + " '" + name.text() + "'; there are " + there));
        }
    }
}
