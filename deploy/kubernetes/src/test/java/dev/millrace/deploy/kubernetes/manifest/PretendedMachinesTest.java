package dev.millrace.deploy.kubernetes.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The machines that are pretended are those that are made. */
class PretendedMachinesTest {
    private static final String PRETENDED = "deploy/testcluster/c5-i7i/";
    private static final String MADE = "deploy/infrastructure/aws/variables.tf";
    private static final Pattern GROUP =
            Pattern.compile("(?m)^ {4}(\\w+) += \\{ type = \"([\\w.]+)\", nodes = (\\d+)(.*)}$");

    private static List<Field> objects(String file) {
        List<Field> objects = new ArrayList<>();
        YamlText.documents(Manifests.read(Manifests.ROOT.resolve(PRETENDED + file)))
                .forEach(root -> objects.add(new Manifest(file, root).object()));
        return objects;
    }

    @Test
    @DisplayName("as many nodes of each group, of the same type, with the same taint")
    void nodes() {
        Map<String, String> made = new TreeMap<>();
        GROUP.matcher(Manifests.read(Manifests.ROOT.resolve(MADE))).results().forEach(group -> {
            boolean isOpen = group.group(4).contains("taint = false");
            for (int i = 0; i < Integer.parseInt(group.group(3)); i++) {
                made.put(group.group(1) + "-" + i, group.group(2) + (isOpen ? "" : " " + group.group(1)));
            }
        });
        Map<String, String> pretended = new TreeMap<>();
        for (Field node : objects("nodes.yaml")) {
            Map<String, String> labels = node.texts("metadata.labels");
            String taint = node.items("spec.taints").stream()
                    .map(one -> " " + one.text("value"))
                    .findFirst()
                    .orElse("");
            pretended.put(node.text("metadata.name"), labels.get("node.kubernetes.io/instance-type") + taint);
            assertThat(node.text("metadata.name")).startsWith(labels.get("millrace/role") + "-");
        }
        assertThat(made).hasSizeGreaterThan(10);
        assertThat(pretended).isEqualTo(made);
    }

    @Test
    @DisplayName("each disk is on one node that is there, and is of a class that there is")
    void volumes() {
        List<String> nodes = objects("nodes.yaml").stream()
                .map(node -> node.text("metadata.name"))
                .toList();
        List<String> classes = Production.ofClone()
                .in(Production.CLUSTER + "/storage.yaml")
                .map(Manifest::name)
                .toList();
        assertThat(objects("volumes.yaml")).hasSizeGreaterThan(15).allSatisfy(volume -> {
            assertThat(classes).contains(volume.text("spec.storageClassName"));
            Tree.named(volume, "values").forEach(values -> assertThat(nodes)
                    .contains(values.items().get(0).text()));
        });
    }
}
