package dev.millrace.deploy.kubernetes.manifest;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The pods that an operator or a chart makes for a broker, as {@code pods.yaml} among the tests of the broker's folder says it: which
 * fields of which object they come from. No operator runs here; what is pretended is that it does what its documentation says.
 *
 * @param entry of {@code pods.yaml}
 * @param source the object, or the values, that they come from
 */
record BrokerPods(Field entry, Field source) {

    /** One volume of each pod. */
    record Claim(String name, String size, String storageClass) {}

    static List<BrokerPods> of(Production production, String broker) {
        Path file = Manifests.ROOT.resolve("brokers/" + broker + "/src/test/resources/c5-i7i/pods.yaml");
        Field root = new Manifest(
                        "pods.yaml", YamlText.documents(Manifests.read(file)).get(0))
                .object();
        List<BrokerPods> all = new ArrayList<>();
        for (Field entry : root.items("pods")) {
            String path = Production.folder(broker) + "/" + entry.text("file");
            Optional<Manifest> source = production
                    .in(path)
                    .filter(one -> one.id().equals(entry.text("object")))
                    .findFirst();
            // One that a planted mistake has renamed has no pods; that is found elsewhere.
            source.ifPresent(object -> all.add(new BrokerPods(entry, object.object())));
        }
        return all;
    }

    String name() {
        return entry.text("name");
    }

    int replicas() {
        return entry.find("replicas").isEmpty() ? 1 : number(source.text(entry.text("replicas")));
    }

    private static int number(String text) {
        return text.matches("\\d{1,4}") ? Integer.parseInt(text) : 0;
    }

    Map<String, String> labels() {
        return entry.texts("labels");
    }

    List<String> ports() {
        return entry.items("ports").stream().map(Field::text).toList();
    }

    long cpuMillis() {
        return millis(resources().text("requests.cpu"));
    }

    static long millis(String amount) {
        if (!amount.matches("\\d+m?")) {
            return 0;
        }
        return amount.endsWith("m") ? Long.parseLong(amount.replace("m", "")) : Long.parseLong(amount) * 1000;
    }

    long memoryBytes() {
        return Formats.bytes(resources().text("requests.memory"));
    }

    Field resources() {
        return source.nearest(entry.text("resources"));
    }

    /** Where they run: the group of nodes. */
    String role() {
        return placing().entrySet().stream()
                .flatMap(part -> Tree.all(part.getValue()))
                .filter(field ->
                        field.path().endsWith(".millrace/role") || field.path().matches(".*\\.values\\[0]"))
                .map(Field::text)
                .findFirst()
                .orElse("");
    }

    /** {@code nodeSelector}, {@code affinity}, {@code tolerations}: what their pods have under these names. */
    Map<String, Field> placing() {
        Map<String, Field> placing = new LinkedHashMap<>();
        for (Field path : entry.items("spec")) {
            source.find(path.text()).ifPresent(part -> placing.put(path.text().replaceAll(".*\\.", ""), part));
        }
        return placing;
    }

    /** Whether a chart, and no field of ours, keeps two of them off one host. */
    boolean isApart() {
        return entry.is("apart", "true");
    }

    List<Claim> claims() {
        List<Claim> claims = new ArrayList<>();
        for (Field path : entry.items("claims")) {
            Field volumes = source.nearest(path.text());
            for (Field volume : volumes.items().isEmpty() ? List.of(volumes) : volumes.items()) {
                String storageClass = volume.text("class") + volume.text("storageClassName");
                String name = volume.find("name").isPresent() ? volume.text("name") : "data-" + volume.text("id");
                claims.add(new Claim(name, volume.text("size"), storageClass));
            }
        }
        return claims;
    }

    long diskBytes() {
        return claims().stream().mapToLong(claim -> Formats.bytes(claim.size())).sum();
    }
}
