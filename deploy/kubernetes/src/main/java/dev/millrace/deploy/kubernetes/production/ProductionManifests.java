package dev.millrace.deploy.kubernetes.production;

import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.kubernetes.cluster.ClusterStack;
import dev.millrace.deploy.kubernetes.cluster.Kubectl;
import dev.millrace.deploy.kubernetes.cluster.Owned;
import dev.millrace.deploy.kubernetes.stack.Credentials;
import dev.millrace.deploy.kubernetes.stack.StackManifests;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A kustomization on top of the broker's production shape, or of a person's own: the namespace, by what objects are known as ours, and what was named on
 * the command line. People who apply by other means get the same objects from its folder. Used by one thread.
 */
public final class ProductionManifests {
    /** Of a pod: a digest of the settings that it was started with, so that other settings start it again. */
    static final String SETTINGS = "millrace.dev/settings";

    static final String DURABILITY = "millrace.dev/durability";
    static final List<String> DURABILITIES = List.of("matched", "vendor-default");
    private static final String FILE = "kustomization.yaml";
    private static final String MILLRACE = "millrace";

    /**
     * What a person names; the rest is as the files have it.
     *
     * @param kustomization a folder, instead of the broker's own
     * @param sized on top of the broker's own folder, with figures that were derived
     */
    public record Given(
            Optional<Path> kustomization,
            Optional<Sized> sized,
            Optional<String> durability,
            Optional<String> image,
            Optional<String> bucket,
            Optional<String> role) {

        Given withImage(String reference) {
            return new Given(kustomization, sized, durability, Optional.of(reference), bucket, role);
        }

        Given withSized(Path folder, int brokerNodes) {
            return new Given(
                    kustomization, Optional.of(new Sized(folder, brokerNodes)), durability, image, bucket, role);
        }

        String durabilityOrDefault() {
            return durability.orElse(DURABILITIES.get(0));
        }
    }

    /**
     * What a rate takes.
     *
     * @param folder where the kustomization is that says so
     * @param brokerNodes that it is derived for
     */
    public record Sized(Path folder, int brokerNodes) {}

    private final ClusterStack stack;
    private final Path overlay;
    private final Path folder;
    private final Given given;

    /** @param folder where the kustomization is written */
    ProductionManifests(ClusterStack stack, Path overlay, Path folder, Given given) {
        this.stack = stack;
        this.overlay = overlay;
        this.folder = folder;
        this.given = given;
        given.kustomization().ifPresent(own -> {
            if (!Files.isRegularFile(own.resolve(FILE))) {
                throw new UserException("there is no " + FILE + " in " + own + ", which --kustomization names");
            }
            if (given.durability().isPresent()) {
                throw new UserException(
                        "which class of durability it is stands in the kustomization; leave --durability out");
            }
        });
    }

    Path folder() {
        return folder;
    }

    /** Writes the kustomization and gives what kubectl makes of it. */
    List<GenericKubernetesResource> objects(Kubectl kubectl, Instant certificatesUntil) {
        try {
            Files.createDirectories(folder);
            StringBuilder text = new StringBuilder(begin());
            Files.writeString(folder.resolve(FILE), text);
            List<GenericKubernetesResource> base = StackManifests.parse(kubectl.kustomize(folder));
            Files.writeString(folder.resolve(FILE), text.append(onTop(base, certificatesUntil)));
        } catch (IOException e) {
            throw new EnvironmentException("cannot write the kustomization in " + folder + ": " + e.getMessage(), e);
        }
        return StackManifests.parse(kubectl.kustomize(folder));
    }

    private String begin() throws IOException {
        Path base = given.kustomization()
                .or(() -> given.sized().map(Sized::folder))
                .orElse(overlay)
                .toRealPath();
        StringBuilder text = new StringBuilder();
        line(text, "# Written by millrace up; it is what was applied.");
        line(text, "apiVersion: kustomize.config.k8s.io/v1beta1");
        line(text, "kind: Kustomization");
        line(text, "resources:");
        line(text, "  - " + folder.toRealPath().relativize(base));
        Path component = overlay.toRealPath().resolve("durability").resolve(given.durabilityOrDefault());
        if (given.kustomization().isEmpty() && Files.isRegularFile(component.resolve(FILE))) {
            line(text, "components:");
            line(text, "  - " + folder.toRealPath().relativize(component));
        }
        return text.toString();
    }

    private String onTop(List<GenericKubernetesResource> base, Instant certificatesUntil) throws IOException {
        StringBuilder text = new StringBuilder();
        line(text, "namespace: " + stack.namespace());
        line(text, "labels:");
        line(text, "  - pairs:");
        labels().forEach((key, value) -> line(text, "      " + key + ": " + value));
        line(text, "    includeTemplates: true");
        given.image().ifPresent(image -> {
            int colon = image.lastIndexOf(':');
            line(text, "images:");
            line(text, "  - name: " + MILLRACE);
            line(text, "    newName: " + image.substring(0, colon));
            line(text, "    newTag: \"" + image.substring(colon + 1) + "\"");
        });
        Map<String, String> settings = settings(base);
        if (given.bucket().isPresent() && settings.containsKey(SettingsMap.JOB_FILE)) {
            Files.writeString(folder.resolve(SettingsMap.JOB_FILE), settings.get(SettingsMap.JOB_FILE));
            line(text, "configMapGenerator:");
            line(text, "  - name: job");
            // As the base has it: the namespace above is set at the very end.
            line(
                    text,
                    "    namespace: "
                            + SettingsMap.named(base, SettingsMap.JOB)
                                    .orElseThrow()
                                    .getMetadata()
                                    .getNamespace());
            line(text, "    behavior: merge");
            line(text, "    files: [" + SettingsMap.JOB_FILE + "]");
            line(text, "    options: {disableNameSuffixHash: true}");
        }
        line(text, "patches:");
        String digest = digest(settings);
        for (GenericKubernetesResource object : base) {
            if (object.getKind().equals("StatefulSet")) {
                boolean isTold = object.getMetadata().getName().equals(ClusterStack.GENERATOR);
                merge(text, object, "template", certificatesUntil, isTold ? digest : "");
            }
        }
        FlinkJob.of(base).ifPresent(job -> {
            merge(text, job, "podTemplate", certificatesUntil, digest);
            job(text, job);
        });
        base.stream().filter(object -> object.getKind().equals(AlertScope.KIND)).forEach(rule -> alerts(text, rule));
        given.role().ifPresent(role -> {
            target(text, "ServiceAccount", "flink");
            line(text, "      apiVersion: v1");
            line(text, "      kind: ServiceAccount");
            line(text, "      metadata: {name: flink, annotations: {eks.amazonaws.com/role-arn: \"" + role + "\"}}");
        });
        return text.toString();
    }

    private Map<String, String> labels() {
        Map<String, String> labels = new TreeMap<>(Owned.labels(stack.broker()));
        labels.put(ClusterStack.SIZE_LABEL, ClusterStack.PRODUCTION);
        return labels;
    }

    private static void target(StringBuilder text, String kind, String name) {
        line(text, "  - target: {kind: " + kind + ", name: " + name + "}");
        line(text, "    patch: |-");
    }

    /** @param settings empty for a pod that reads none of them */
    private void merge(
            StringBuilder text, GenericKubernetesResource object, String template, Instant until, String settings) {
        String name = object.getMetadata().getName();
        target(text, object.getKind(), name);
        line(text, "      apiVersion: " + object.getApiVersion());
        line(text, "      kind: " + object.getKind());
        line(text, "      metadata: {name: " + name + "}");
        line(text, "      spec:");
        line(text, "        " + template + ":");
        line(text, "          metadata:");
        line(text, "            annotations:");
        line(text, "              " + Credentials.UNTIL + ": \"" + until + "\"");
        if (!settings.isEmpty()) {
            line(text, "              " + SETTINGS + ": \"" + settings + "\"");
        }
        line(text, "            labels:");
        labels().forEach((key, value) -> line(text, "              " + key + ": " + value));
    }

    private void job(StringBuilder text, GenericKubernetesResource job) {
        given.image().ifPresent(image -> {
            // Two lists' items would be replaced by a merge.
            target(text, FlinkJob.KIND, FlinkJob.NAME);
            line(text, "      - {op: replace, path: /spec/image, value: \"" + image + "\"}");
            line(
                    text,
                    "      - {op: replace, path: /spec/podTemplate/spec/initContainers/0/image, value: \"" + image
                            + "\"}");
        });
        given.bucket().ifPresent(bucket -> {
            target(text, FlinkJob.KIND, FlinkJob.NAME);
            FlinkJob.places(job)
                    .forEach((key, place) -> line(
                            text,
                            "      - {op: replace, path: /spec/flinkConfiguration/" + key + ", value: \""
                                    + FlinkJob.in(bucket, stack.namespace(), place) + "\"}"));
        });
    }

    private void alerts(StringBuilder text, GenericKubernetesResource rule) {
        Map<String, String> expressions = AlertScope.narrowed(rule, stack.namespace());
        if (expressions.isEmpty()) {
            return;
        }
        target(text, AlertScope.KIND, rule.getMetadata().getName());
        // JSON's texts are YAML's too, with lines and quotes in them.
        expressions.forEach((path, expression) -> line(
                text, "      - {op: replace, path: " + path + ", value: " + Serialization.asJson(expression) + "}"));
    }

    /** What the job and the generator are told, by file, with the bucket that was named. */
    private Map<String, String> settings(List<GenericKubernetesResource> objects) {
        Map<String, String> all = new TreeMap<>();
        List.of(SettingsMap.STACK, SettingsMap.JOB).forEach(name -> all.putAll(SettingsMap.files(objects, name)));
        given.bucket()
                .ifPresent(bucket -> all.computeIfPresent(
                        SettingsMap.JOB_FILE,
                        (name, text) ->
                                text.lines().map(line -> in(bucket, line)).collect(Collectors.joining("\n")) + "\n"));
        return all;
    }

    private String in(String bucket, String line) {
        int value = line.indexOf('=') + 1;
        String place = line.substring(value).strip();
        return FlinkJob.isPlace(place)
                ? line.substring(0, value) + FlinkJob.in(bucket, stack.namespace(), place)
                : line;
    }

    /** Sixteen characters that are others when a setting is another. */
    static String digest(Map<String, String> settings) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            new TreeMap<>(settings)
                    .forEach((key, value) ->
                            digest.update((key + "\0" + value + "\0").getBytes(StandardCharsets.UTF_8)));
            return HexFormat.of().formatHex(digest.digest()).substring(0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void line(StringBuilder text, String line) {
        text.append(line).append('\n');
    }
}
