package dev.millrace.deploy.kubernetes.production;

import dev.millrace.deploy.kubernetes.cluster.Cluster;
import dev.millrace.deploy.kubernetes.cluster.ClusterStack;
import dev.millrace.deploy.kubernetes.cluster.Fields;
import dev.millrace.deploy.kubernetes.cluster.ObjectPlan;
import dev.millrace.deploy.sizing.Overlay;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What a cluster lacks for a stack of the production shape, and what is used there as it was found. It changes nothing, and nothing is ever upgraded.
 * Used by one thread.
 */
final class ProductionPreflight {
    private static final String ROLE = "eks.amazonaws.com/role-arn";

    private final KubernetesClient client;
    private final ClusterStack stack;
    private final Needs needs;
    private final ProductionManifests.Given given;
    private final Path overlay;
    private final List<String> problems = new ArrayList<>();
    private final List<String> found = new ArrayList<>();
    private final Set<String> commands = new LinkedHashSet<>();
    private final Set<String> unknownKinds = new TreeSet<>();

    ProductionPreflight(ClusterStack stack, Needs needs, ProductionManifests.Given given, Path overlay) {
        this.client = stack.cluster().client();
        this.stack = stack;
        this.needs = needs;
        this.given = given;
        this.overlay = overlay;
    }

    /** The API groups and resources that a person needs rights to, beside those of every stack. */
    static Map<String, List<String>> rights(Needs needs) {
        Map<String, List<String>> rights = new HashMap<>();
        for (Needs.Definition kind : needs.own()) {
            int dot = kind.name().indexOf('.');
            rights.computeIfAbsent(kind.name().substring(dot + 1), group -> new ArrayList<>())
                    .add(kind.name().substring(0, dot));
        }
        rights.put("rbac.authorization.k8s.io", List.of("roles", "rolebindings"));
        return rights;
    }

    /** @param brought definitions that are applied before all else */
    void look(List<GenericKubernetesResource> objects, List<GenericKubernetesResource> brought) {
        definitions(brought);
        installed();
        filledIn(objects);
        problems.addAll(ToldAlike.problems(objects));
    }

    /** Of objects that are new, and of what those that change take more than they have. */
    void room(List<ObjectPlan.Step> steps) {
        problems.addAll(new NodeRoom(stack).problems(NodeRoom.of(steps, needs)));
    }

    /** What is wrong, and at the end the commands that mend it. */
    List<String> problems() {
        List<String> all = new ArrayList<>(problems);
        if (!commands.isEmpty()) {
            all.add("what is missing you install once for the cluster, with its owner's rights:\n      "
                    + String.join("\n      ", commands));
        }
        return all;
    }

    /** What is used as it was found, a line each. */
    List<String> found() {
        return found;
    }

    /** Kinds that objects of the stack are of and that the cluster does not know. */
    Set<String> unknownKinds() {
        return unknownKinds;
    }

    private void definitions(List<GenericKubernetesResource> brought) {
        for (Needs.Definition one : needs.definitions()) {
            boolean comes = brought.stream()
                    .anyMatch(object -> object.getMetadata().getName().equals(one.name()));
            if (Definitions.serves(client, one.context())) {
                found.add("CustomResourceDefinition/" + one.name());
            } else {
                if (one.stage() != null) {
                    unknownKinds.add(one.kind());
                }
                if (!comes) {
                    problems.add("there is no CustomResourceDefinition " + one.name() + " that serves version "
                            + one.version());
                }
            }
        }
    }

    private void installed() {
        for (Needs.Installed one : needs.installed()) {
            boolean isThere = true;
            for (String name : one.names()) {
                isThere &= isThere(one, name);
            }
            if (!isThere) {
                one.by().stream().map(this::command).forEach(commands::add);
            }
        }
    }

    private boolean isThere(Needs.Installed wanted, String name) {
        List<? extends HasMetadata> all;
        try {
            all = candidates(wanted, name);
        } catch (KubernetesClientException e) {
            problems.add("you may not look whether " + wanted.what() + " is there: " + Cluster.said(e));
            return true;
        }
        String where = wanted.beside() ? "namespace " + stack.namespace() : "any namespace";
        if (all.isEmpty()) {
            problems.add(wanted.what() + " is not there: no " + wanted.kind() + " '" + name + "' in " + where);
            return false;
        }
        HasMetadata one = all.get(0);
        String place = wanted.kind() + "/" + name + " in " + one.getMetadata().getNamespace();
        if (ready(one) == 0) {
            problems.add(wanted.what() + " has no pod that is ready: " + place + "; kubectl -n "
                    + one.getMetadata().getNamespace() + " describe "
                    + wanted.kind().toLowerCase(java.util.Locale.ROOT)
                    + " " + name);
            return true;
        }
        found.add(place + ", " + image(one)
                + (image(one).endsWith(wanted.tried()) ? "" : " (made for " + wanted.tried() + ")"));
        durability(wanted, one);
        brokerNodes(wanted, one);
        return true;
    }

    private List<? extends HasMetadata> candidates(Needs.Installed wanted, String name) {
        var apps = client.apps();
        if (wanted.kind().equals("Deployment")) {
            List<Deployment> all = wanted.beside()
                    ? apps.deployments().inNamespace(stack.namespace()).list().getItems()
                    : apps.deployments().inAnyNamespace().list().getItems();
            return all.stream()
                    .filter(one -> one.getMetadata().getName().equals(name))
                    .toList();
        }
        List<StatefulSet> all = wanted.beside()
                ? apps.statefulSets().inNamespace(stack.namespace()).list().getItems()
                : apps.statefulSets().inAnyNamespace().list().getItems();
        return all.stream()
                .filter(one -> one.getMetadata().getName().equals(name))
                .toList();
    }

    private static int ready(HasMetadata one) {
        Integer ready = one instanceof Deployment deployment
                ? deployment.getStatus().getReadyReplicas()
                : ((StatefulSet) one).getStatus().getReadyReplicas();
        return ready == null ? 0 : ready;
    }

    private static PodTemplateSpec template(HasMetadata one) {
        return one instanceof Deployment deployment
                ? deployment.getSpec().getTemplate()
                : ((StatefulSet) one).getSpec().getTemplate();
    }

    private static String image(HasMetadata one) {
        return template(one).getSpec().getContainers().get(0).getImage();
    }

    /** What a chart was told says which class it is of. */
    private void durability(Needs.Installed wanted, HasMetadata one) {
        Map<String, String> annotations = template(one).getMetadata().getAnnotations();
        String is = annotations == null ? null : annotations.get(ProductionManifests.DURABILITY);
        if (is != null
                && given.durability().isPresent()
                && !is.equals(given.durability().get())) {
            problems.add(wanted.what() + " is of the class of durability '" + is + "', and --durability is '"
                    + given.durability().get() + "'; upgrade its release with the values of the other");
        }
    }

    /** Where a pod of it is on each broker node, and a rate was derived for more of them, the rate is too much for it. */
    private void brokerNodes(Needs.Installed wanted, HasMetadata one) {
        int nodes = given.sized().map(ProductionManifests.Sized::brokerNodes).orElse(0);
        boolean isOnEach = wanted.onEachBroker() != null
                && wanted.onEachBroker().contains(one.getMetadata().getName());
        if (isOnEach && one instanceof StatefulSet set && set.getSpec().getReplicas() < nodes) {
            problems.add(wanted.what() + " has " + set.getSpec().getReplicas() + " pods of "
                    + one.getMetadata().getName() + ", and the rate is derived for " + nodes
                    + " broker nodes; upgrade its release first:"
                    + wanted.by().stream()
                            .map(install -> "\n      " + command(install.replaceFirst("helm install", "helm upgrade")))
                            .collect(Collectors.joining()));
        }
    }

    /** What a stack's data are made with stays as it is for as long as they are there. */
    void data(List<GenericKubernetesResource> objects) {
        problems.addAll(new MadeWith(client, stack.namespace()).problems(objects));
    }

    private String command(String template) {
        return template.replace("{namespace}", stack.namespace())
                .replace("{folder}", overlay.toString())
                .replace(
                        "{sized}",
                        given.sized()
                                .map(sized -> " -f " + sized.folder().resolve(Overlay.FOR_CHART))
                                .orElse(""))
                .replace("{durability}", given.durabilityOrDefault());
    }

    /** What nobody can know but the person. */
    private void filledIn(List<GenericKubernetesResource> objects) {
        FlinkJob.of(objects)
                .ifPresentOrElse(
                        this::filledIn,
                        () -> problems.add("the kustomization has no " + FlinkJob.KIND + "/" + FlinkJob.NAME));
        boolean hasRole = objects.stream()
                .filter(object -> object.getKind().equals("ServiceAccount")
                        && object.getMetadata().getName().equals("flink"))
                .map(object -> object.getMetadata().getAnnotations())
                .anyMatch(annotations -> annotations != null && annotations.containsKey(ROLE));
        if (!hasRole) {
            found.add(
                    "ServiceAccount/flink without a role: the job can use the bucket only if its nodes may, or EKS gives it"
                            + " one otherwise (--flink-role ARN)");
        }
        String usual = ClusterStack.usualNamespace(stack.broker());
        if (hasRole && !stack.namespace().equals(usual)) {
            found.add("ServiceAccount/flink has a role, which must trust it in " + stack.namespace()
                    + ": that of millrace infrastructure trusts " + usual
                    + " until it is told more namespaces (README.md, Machines on AWS)");
        }
    }

    private void filledIn(GenericKubernetesResource job) {
        if (Fields.text(job, "spec.image").equals(FlinkJob.NO_IMAGE)) {
            problems.add(
                    "there is no image: --registry HOST/PATH makes and pushes it, --image NAME:TAG is one that millrace images"
                            + " --base " + ProductionLauncher.BASE + " pushed");
        }
        if (given.bucket().isEmpty() && FlinkJob.buckets(job).contains(FlinkJob.NO_BUCKET)) {
            problems.add(
                    "there is no bucket for checkpoints and savepoints: --bucket NAME (an output of millrace infrastructure)");
        }
        FlinkJob.leadership(job).ifPresent(this::leadership);
    }

    /** Jobs of all stacks have one name: in one place each would go on from, and clear up, what is the other's. */
    private void leadership(String place) {
        needs.definition(FlinkJob.KIND).filter(kind -> !unknownKinds.contains(kind.kind())).stream()
                .flatMap(kind -> Cluster.visible(() -> client.genericKubernetesResources(kind.context())
                                .inAnyNamespace()
                                .list()
                                .getItems())
                        .stream())
                .filter(other -> other.getMetadata().getName().equals(FlinkJob.NAME))
                .filter(other ->
                        FlinkJob.leadership(other).filter(place::equals).isPresent())
                .map(other -> other.getMetadata().getNamespace())
                .filter(namespace -> !namespace.equals(stack.namespace()))
                .map(
                        namespace -> FlinkJob.LEADERSHIP + " " + place + " is that of the job in namespace " + namespace
                                + ", too, and below it Flink keeps by the job's name, which both have, what it goes on from;"
                                + " name a folder that no other stack has in each s3:// of the kustomization (--bucket NAME does)")
                .forEach(problems::add);
    }
}
