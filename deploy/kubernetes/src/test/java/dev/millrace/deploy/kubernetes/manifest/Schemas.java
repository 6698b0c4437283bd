package dev.millrace.deploy.kubernetes.manifest;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The schemas of what is not Kubernetes' own. Kinds of operators: Flink's CustomResourceDefinition is in the operator's jar, those of
 * prometheus-operator are beside this class (the files of its release 0.85.0 without the descriptions), a broker's are in {@code
 * src/test/resources/c5-i7i} of its folder. Files that are no object, such as a chart's values: {@code NAME.schema.yaml},
 * there or beside this class. Immutable.
 */
final class Schemas {
    private static final String FLINK = "/META-INF/fabric8/flinkdeployments.flink.apache.org-v1.yml";
    /** The operator looks after these too, and does not start without them. */
    private static final String FLINK_SESSIONS = "/META-INF/fabric8/flinksessionjobs.flink.apache.org-v1.yml";

    private static final List<String> PROMETHEUS = List.of("prometheusrules.crd.json", "podmonitors.crd.json");
    private static final String OF_BROKER = "src/test/resources/c5-i7i";
    private static final String SCHEMA = ".schema.yaml";

    private final Map<String, OpenApi> kinds = new HashMap<>();
    private final Map<String, OpenApi> files = new HashMap<>();

    private Schemas() {}

    static Schemas ofClone() {
        Schemas schemas = new Schemas();
        schemas.definition(resource(FLINK));
        PROMETHEUS.forEach(name -> schemas.definition(resource(name)));
        for (String name : List.of(
                "kustomization",
                "clickhouse-server",
                "clickhouse-users",
                "keeper-server",
                "local-volumes",
                "needs",
                "operations")) {
            schemas.file(name + ".yaml", resource(name + SCHEMA));
        }
        brokerFiles().forEach(file -> {
            String name = file.getFileName().toString();
            if (name.endsWith(".crd.json")) {
                schemas.definition(Manifests.read(file));
            } else if (name.endsWith(SCHEMA)) {
                schemas.file(name.replace(SCHEMA, ".yaml"), Manifests.read(file));
            }
        });
        return schemas;
    }

    /** All CustomResourceDefinitions, as they are applied to a cluster. */
    static List<String> definitions() {
        List<String> definitions = new ArrayList<>(List.of(resource(FLINK), resource(FLINK_SESSIONS)));
        PROMETHEUS.forEach(name -> definitions.add(resource(name)));
        brokerFiles()
                .filter(file -> file.toString().endsWith(".crd.json"))
                .forEach(file -> definitions.add(Manifests.read(file)));
        return definitions;
    }

    static Stream<Path> brokerFiles() {
        return Manifests.children(Manifests.ROOT.resolve("brokers"))
                .filter(Files::isDirectory)
                .flatMap(broker -> Manifests.children(broker.resolve(OF_BROKER)));
    }

    private void definition(String text) {
        Field definition = root(text);
        for (Field version : definition.items("spec.versions")) {
            String name = definition.text("spec.group") + "/" + version.text("name") + " "
                    + definition.text("spec.names.kind");
            kinds.put(name, new OpenApi(version.nearest("schema.openAPIV3Schema")));
        }
    }

    private void file(String name, String text) {
        files.put(name, new OpenApi(root(text)));
    }

    private static Field root(String text) {
        return new Manifest("a schema", YamlText.documents(text).get(0)).object();
    }

    /** Of an object of a kind that an operator brought. */
    Optional<OpenApi> of(Field object) {
        return Optional.ofNullable(kinds.get(object.text("apiVersion") + " " + object.text("kind")));
    }

    /** The versioned kinds, for a sentence. */
    List<String> kinds() {
        return kinds.keySet().stream().sorted().toList();
    }

    /** Of a file that is no object. */
    Optional<OpenApi> of(String file) {
        return Optional.ofNullable(files.get(file.substring(file.lastIndexOf('/') + 1)));
    }

    private static String resource(String name) {
        try (InputStream in = Schemas.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("there is no " + name + " on the class path");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
