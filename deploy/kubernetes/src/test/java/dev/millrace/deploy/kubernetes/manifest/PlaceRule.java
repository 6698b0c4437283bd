package dev.millrace.deploy.kubernetes.manifest;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Where pods run and what they take: groups of nodes that there are, classes of volumes that there are, amounts. */
final class PlaceRule implements ProductionRule {
    private static final String ROLE = "millrace/role";
    private static final String MACHINES = "deploy/infrastructure/aws/variables.tf";
    private static final Set<String> TOPOLOGIES = Set.of("kubernetes.io/hostname");
    private static final String MEMORY = "[1-9]\\d*([MG]i|[mg])";

    @Override
    public void check(Production production, Consumer<Finding> found) {
        Set<String> roles = roles();
        Set<String> classes = new TreeSet<>();
        production.in(Production.CLUSTER + "/storage.yaml").forEach(storage -> classes.add(storage.name()));
        production.documents().map(Manifest::object).forEach(object -> Tree.all(object)
                .forEach(field -> {
                    role(field, roles, found);
                    amounts(field, found);
                    volumes(field, classes, found);
                }));
        production.documents().map(Manifest::object).forEach(object -> {
            storage(object, found);
            Tree.named(object, "topologyKey")
                    .filter(key -> !TOPOLOGIES.contains(key.text()))
                    .forEach(key -> found.accept(key.finding("two on one host is what is meant: " + TOPOLOGIES)));
        });
    }

    /** The groups of machines; a role is a group. */
    private static Set<String> roles() {
        String text = Manifests.read(Manifests.ROOT.resolve(MACHINES));
        Set<String> roles = new TreeSet<>();
        Pattern.compile("(?m)^ {4}(\\w+) += \\{ type = ")
                .matcher(text)
                .results()
                .map((MatchResult group) -> group.group(1))
                .forEach(roles::add);
        return roles;
    }

    private static void role(Field field, Set<String> roles, Consumer<Finding> found) {
        field.fields("nodeSelector").forEach((name, value) -> {
            if (!name.equals(ROLE) || !roles.contains(value.text())) {
                found.accept(value.finding(
                        "there are no nodes with " + name + ": " + value.text() + ", only " + ROLE + " of " + roles));
            }
        });
        field.items("tolerations").forEach(toleration -> {
            boolean isOne = toleration.is("operator", "Exists") || roles.contains(toleration.text("value"));
            if (!toleration.is("key", ROLE)
                    || !toleration.is("effect", "NoSchedule")
                    || !List.of("Exists", "Equal").contains(toleration.text("operator"))
                    || !isOne) {
                found.accept(
                        toleration.finding("no group of nodes has this taint: " + ROLE + "=" + roles + ":NoSchedule"));
            }
        });
        field.items("nodeSelectorTerms").stream()
                .flatMap(term -> term.items("matchExpressions").stream())
                .filter(expression -> !expression.is("key", ROLE)
                        || !expression.is("operator", "In")
                        || expression.items("values").isEmpty()
                        || !expression.items("values").stream().allMatch(value -> roles.contains(value.text())))
                .forEach(expression -> found.accept(
                        expression.finding("no nodes have this label; there is " + ROLE + " of " + roles)));
        boolean isTolerant = field.find("tolerations").isPresent();
        String selected = selected(field);
        if (isTolerant
                && !selected.isEmpty()
                && field.items("tolerations").stream().noneMatch(one -> one.is("value", selected))) {
            found.accept(field.nearest("tolerations").finding("its nodes are those of '" + selected + "'"));
        }
    }

    private static String selected(Field pod) {
        Field role = pod.fields("nodeSelector").get(ROLE);
        return role == null ? "" : role.text();
    }

    private static void amounts(Field field, Consumer<Finding> found) {
        for (String of : List.of("requests", "limits")) {
            field.fields("resources." + of).forEach((name, value) -> {
                String pattern =
                        switch (name) {
                            case "cpu" -> "[1-9]\\d*m?";
                            case "memory" -> MEMORY;
                            case "storage" -> "[1-9]\\d*Gi";
                            default -> "nothing";
                        };
                if (!value.text().matches(pattern)) {
                    found.accept(value.finding("'" + value.text() + "' is no amount of " + name + ": " + pattern));
                }
            });
        }
        long memory = Formats.bytes(field.text("resources.limits.memory"));
        if (memory > 0 && Formats.bytes(field.text("resources.requests.memory")) != memory) {
            found.accept(field.nearest("resources.requests.memory")
                    .finding("what may be taken is asked for: a pod that has borrowed memory is killed first"));
        }
        field.find("resource.memory")
                .filter(amount -> !amount.text().matches(MEMORY))
                .ifPresent(amount -> found.accept(amount.finding("no amount of memory: " + MEMORY)));
    }

    private static void volumes(Field field, Set<String> classes, Consumer<Finding> found) {
        for (String name : List.of("storageClassName", "class")) {
            field.find(name)
                    .filter(one -> one.node() instanceof Node.Scalar && !classes.contains(one.text()))
                    .ifPresent(one -> found.accept(
                            one.finding("there is no class of volumes '" + one.text() + "'; there are " + classes)));
        }
        boolean isVolume = field.find("size").isPresent();
        if (isVolume && !field.text("size").matches("[1-9]\\d*Gi")) {
            found.accept(field.nearest("size").finding("'" + field.text("size") + "' is no size: 20Gi"));
        }
        if (isVolume
                && field.find("class").isEmpty()
                && field.find("storageClassName").isEmpty()) {
            found.accept(field.finding("it must say the class of the volume, one of " + classes));
        }
        field.items("volumeClaimTemplates").stream()
                .map(claim -> claim.nearest("spec"))
                .filter(claim -> claim.find("storageClassName").isEmpty())
                .forEach(claim -> found.accept(claim.finding("it must say the class of the volume")));
    }

    /** What AWS takes for a gp3 volume (EBS User Guide): more throughput wants more operations. */
    private static void storage(Field object, Consumer<Finding> found) {
        if (!object.is("kind", "StorageClass")) {
            return;
        }
        boolean isLocal = object.is("provisioner", "kubernetes.io/no-provisioner");
        if (!isLocal && !object.is("provisioner", "ebs.csi.aws.com")) {
            found.accept(object.nearest("provisioner").finding("there is no such provisioner in the cluster"));
        }
        if (!object.is("volumeBindingMode", "WaitForFirstConsumer")) {
            found.accept(object.nearest("volumeBindingMode").finding("a volume is where its pod is, not before"));
        }
        if (!object.is("reclaimPolicy", "Delete")) {
            found.accept(object.nearest("reclaimPolicy").finding("what nobody claims is billed for ever"));
        }
        if (isLocal) {
            return;
        }
        if (!object.fields("parameters").keySet().equals(Set.of("type", "iops", "throughput", "encrypted"))
                || !object.is("parameters.type", "gp3")
                || !object.is("parameters.encrypted", "true")) {
            found.accept(object.nearest("parameters").finding("a gp3 volume has type, iops, throughput, encrypted"));
        }
        int operations = number(object.text("parameters.iops"));
        int throughput = number(object.text("parameters.throughput"));
        boolean isOffered = operations >= 3000
                && operations <= 16000
                && throughput >= 125
                && throughput <= 1000
                && throughput * 4 <= operations;
        if (!isOffered) {
            found.accept(object.nearest("parameters")
                    .finding("gp3 has 3000 to 16000 iops and 125 to 1000 MiB/s, a quarter of its iops at most"));
        }
    }

    private static int number(String text) {
        return text.matches("\\d{1,6}") ? Integer.parseInt(text) : 0;
    }
}
