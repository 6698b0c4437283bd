package dev.millrace.deploy.kubernetes.stack;

import dev.millrace.connectors.api.store.ResultStore;
import dev.millrace.core.generate.GeneratorSettings;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.UserException;
import dev.millrace.core.settings.Values;
import dev.millrace.deploy.kubernetes.cluster.Kubectl;
import dev.millrace.deploy.kubernetes.cluster.Owned;
import dev.millrace.deploy.kubernetes.image.BuiltImage;
import dev.millrace.deploy.kubernetes.image.ImageSet;
import dev.millrace.deploy.local.PropertiesFile;
import dev.millrace.deploy.local.StackSettings;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A kustomization on top of a broker's overlay: the namespace, the images, the settings and what follows from them. People who apply
 * by other means get the same objects from its folder. Used by one thread.
 */
public final class StackManifests {
    private static final long MIB = 1L << 20;
    /** What a TaskManager needs beside the bound of its process: threads' stacks, the collector, glibc. */
    private static final long BESIDE_TASK_MANAGER_MIB = 128;

    /** What a store needs beside the bound of its process. */
    private static final long BESIDE_STORE_MIB = 256;

    /** The generator's own, and a small audit's; as in its manifest. */
    private static final long GENERATOR_MIB = 768;

    private static final long GENERATOR_MOST_MIB = 1280;
    /** Reckoned, not measured: 37 longs and doubles for a device, in each window. */
    private static final long AUDIT_BYTES_OF_A_DEVICE = 300;

    /** The Secret with the password of a store that a person runs; a person makes it. */
    private static final String STORE_LOGIN = "store-login";

    private final Path overlay;
    private final Path folder;
    private final String broker;
    private final String namespace;

    /**
     * @param clone with the manifests
     * @param folder where the kustomization is written; it is there afterwards
     */
    StackManifests(Path clone, Path folder, String broker, String namespace) {
        this.overlay = overlay(clone, broker).getParent();
        this.folder = folder;
        this.broker = broker;
        this.namespace = namespace;
        if (!Files.isRegularFile(overlay(clone, broker))) {
            throw new UserException("broker '" + broker + "' has no manifests (there is no " + overlay
                    + "); it runs on this machine only: millrace up --broker " + broker);
        }
    }

    /** The kustomization of a broker, there or not. */
    static Path overlay(Path clone, String broker) {
        return clone.resolve("brokers").resolve(broker).resolve("deploy/kubernetes/tiny/kustomization.yaml");
    }

    Path folder() {
        return folder;
    }

    /** Writes the kustomization and gives what kubectl makes of it, in the order in which kustomize would apply it. */
    List<GenericKubernetesResource> objects(
            Kubectl kubectl, StackSettings settings, ImageSet images, Instant certificatesUntil) {
        try {
            Files.createDirectories(folder);
            PropertiesFile.write(
                    folder.resolve("stack.properties"), settings.values().asMap());
            boolean ownStore = settings.isForeignStore();
            if (ownStore) {
                Files.writeString(folder.resolve("store-network.yaml"), storeNetwork(settings));
            }
            Files.writeString(
                    folder.resolve("kustomization.yaml"), kustomization(settings, images, certificatesUntil, ownStore));
        } catch (IOException e) {
            throw new EnvironmentException("cannot write the kustomization in " + folder + ": " + e.getMessage(), e);
        }
        return parse(kubectl.kustomize(folder));
    }

    private String kustomization(StackSettings settings, ImageSet images, Instant certificatesUntil, boolean ownStore)
            throws IOException {
        StringBuilder text = new StringBuilder();
        line(text, "# Written by millrace up; it is what was applied.");
        line(text, "apiVersion: kustomize.config.k8s.io/v1beta1");
        line(text, "kind: Kustomization");
        line(text, "namespace: " + namespace);
        line(text, "resources:");
        line(text, "  - " + folder.toRealPath().relativize(overlay.toRealPath()));
        if (ownStore) {
            line(text, "  - store-network.yaml");
        }
        line(text, "images:");
        image(text, "millrace", images.millrace());
        images.server().ifPresent(server -> image(text, "millrace-broker", server));
        line(text, "configMapGenerator:");
        line(text, "  - name: stack");
        // As the overlay has it: the namespace above is set at the very end.
        line(text, "    namespace: millrace-" + broker);
        line(text, "    behavior: merge");
        line(text, "    files:");
        line(text, "      - stack.properties");
        line(text, "labels:");
        line(text, "  - pairs:");
        Owned.labels(broker).entrySet().stream()
                .sorted(java.util.Map.Entry.comparingByKey())
                .forEach(label -> line(text, "      " + label.getKey() + ": " + label.getValue()));
        line(text, "    includeTemplates: true");
        line(text, "patches:");
        certificates(text, certificatesUntil);
        long taskManager = settings.taskManagerMemoryBytes() / MIB + BESIDE_TASK_MANAGER_MIB;
        memory(text, "taskmanager", taskManager, taskManager + BESIDE_TASK_MANAGER_MIB);
        // Asked for is no more: an audit needs it for some seconds.
        memory(text, "generator", GENERATOR_MIB, GENERATOR_MOST_MIB + auditMebibytes(settings));
        if (!ownStore) {
            storeMemory(settings).ifPresent(bound -> memory(text, "store", bound, bound + BESIDE_STORE_MIB));
        } else {
            for (String kind : List.of("StatefulSet", "Service", "PodDisruptionBudget", "NetworkPolicy")) {
                delete(text, kind, "store");
            }
            storePassword(text);
        }
        return text.toString();
    }

    private static void image(StringBuilder text, String name, BuiltImage image) {
        int colon = image.reference().lastIndexOf(':');
        line(text, "  - name: " + name);
        line(text, "    newName: " + image.reference().substring(0, colon));
        line(text, "    newTag: \"" + image.reference().substring(colon + 1) + "\"");
    }

    private static void memory(StringBuilder text, String workload, long requestMebibytes, long limitMebibytes) {
        line(text, "  - target:");
        line(text, "      kind: StatefulSet|Deployment");
        line(text, "      name: " + workload);
        line(text, "    patch: |-");
        String path = "/spec/template/spec/containers/0/resources/";
        replace(text, path + "requests/memory", requestMebibytes + "Mi");
        replace(text, path + "limits/memory", limitMebibytes + "Mi");
    }

    /** The bound of the store's process where a person named it; else the manifest's figures fit its default. */
    private static OptionalLong storeMemory(StackSettings settings) {
        Optional<String> named = settings.storeOptions().get("memory");
        try {
            return named.isEmpty() ? OptionalLong.empty() : OptionalLong.of(Values.bytes(named.get()) / MIB);
        } catch (IllegalArgumentException e) {
            throw new UserException("store.memory: " + e.getMessage(), e);
        }
    }

    /** The audit runs beside the generator, and adds up every device in each of the windows that are open. */
    private static long auditMebibytes(StackSettings settings) {
        long slide = Values.duration(settings.text("slide")).toMillis();
        boolean anyLate = Double.parseDouble(settings.text("late-share")) > 0;
        long late = anyLate ? GeneratorSettings.LATE_SPAN_MILLIS : 0;
        long open = 1 + (settings.window().plus(settings.outOfOrderness()).toMillis() + late + slide - 1) / slide;
        return settings.devices() * open * AUDIT_BYTES_OF_A_DEVICE / MIB;
    }

    /** Another set of certificates is another template: pods read them when they start. */
    private static void certificates(StringBuilder text, Instant until) {
        line(text, "  - target:");
        line(text, "      kind: StatefulSet|Deployment");
        line(text, "    patch: |-");
        line(text, "      - op: add");
        line(text, "        path: /spec/template/metadata/annotations");
        line(text, "        value:");
        line(text, "          " + Credentials.UNTIL + ": \"" + until + "\"");
    }

    /** For those that speak with a store that a person runs; whoever makes no such Secret has one without a password. */
    private static void storePassword(StringBuilder text) {
        storePassword(text, "jobmanager|taskmanager|generator", "containers/0/env", "- ");
        // What prepares the JobManager makes the store's tables.
        storePassword(text, "jobmanager", "initContainers/0/env/-", "");
    }

    /** @param item what begins the value: a list of one, or, behind those that are there, one more */
    private static void storePassword(StringBuilder text, String workloads, String path, String item) {
        line(text, "  - target:");
        line(text, "      kind: StatefulSet|Deployment");
        line(text, "      name: " + workloads);
        line(text, "    patch: |-");
        line(text, "      - op: add");
        line(text, "        path: /spec/template/spec/" + path);
        line(text, "        value:");
        String indent = "          " + " ".repeat(item.length());
        line(text, "          " + item + "name: " + ResultStore.PASSWORD_VARIABLE);
        line(text, indent + "valueFrom:");
        line(text, indent + "  secretKeyRef:");
        line(text, indent + "    name: " + STORE_LOGIN);
        line(text, indent + "    key: password");
        line(text, indent + "    optional: true");
    }

    private static void replace(StringBuilder text, String path, String value) {
        line(text, "      - op: replace");
        line(text, "        path: " + path);
        line(text, "        value: " + value);
    }

    private static void delete(StringBuilder text, String kind, String name) {
        line(text, "  - target:");
        line(text, "      kind: " + kind);
        line(text, "      name: " + name);
        line(text, "    patch: |-");
        line(text, "      $patch: delete");
        line(text, "      kind: " + kind);
        line(text, "      metadata:");
        line(text, "        name: " + name);
    }

    /** The way to a store that a person runs. */
    private static String storeNetwork(StackSettings settings) {
        URI url = URI.create(settings.text("store-url"));
        int port = url.getPort() > 0 ? url.getPort() : url.getScheme().equals("https") ? 8443 : 8123;
        StringBuilder text = new StringBuilder();
        line(text, "apiVersion: networking.k8s.io/v1");
        line(text, "kind: NetworkPolicy");
        line(text, "metadata:");
        line(text, "  name: store-elsewhere");
        line(text, "spec:");
        line(text, "  podSelector:");
        line(text, "    matchLabels:");
        line(text, "      app.kubernetes.io/part-of: millrace");
        line(text, "  policyTypes: [Egress]");
        line(text, "  egress:");
        line(text, "    - ports:");
        line(text, "        - port: " + port);
        return text.toString();
    }

    private static void line(StringBuilder text, String line) {
        text.append(line).append('\n');
    }

    /** Untyped, so that no field is dropped that a model does not know: the server is to judge. */
    public static List<GenericKubernetesResource> parse(String documents) {
        List<GenericKubernetesResource> objects = new ArrayList<>();
        for (String document : documents.split("(?m)^---$")) {
            if (!document.isBlank()) {
                objects.add(Serialization.unmarshal(document, GenericKubernetesResource.class));
            }
        }
        return objects;
    }
}
