package dev.millrace.deploy.kubernetes.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The other tests join what belongs together on their own; where there is a kubectl, it says whether that is right. */
class KustomizeTest {
    private static final Manifests MANIFESTS = Manifests.ofClone();
    private static final long BOUND_SECONDS = 30;

    static List<String> overlays() {
        return MANIFESTS.overlays();
    }

    @ParameterizedTest
    @MethodSource("overlays")
    @DisplayName("kubectl makes the same objects out of an overlay, with the same labels on their pods")
    void same(String overlay) throws Exception {
        List<Manifest> made = kustomize(overlay);
        Stack stack = Stack.of(MANIFESTS, overlay);
        Set<String> joined = new TreeSet<>();
        stack.objects().forEach(object -> joined.add(object.id()));
        stack.configMaps().keySet().forEach(name -> joined.add("ConfigMap/" + name));
        assertThat(made).extracting(KustomizeTest::withoutHash).containsExactlyInAnyOrderElementsOf(joined);
        assertThat(made).allSatisfy(object -> assertThat(object.object().text("metadata.namespace"))
                .isEqualTo("millrace-" + stack.broker()));
        for (Workload workload : stack.workloads()) {
            assertThat(made)
                    .filteredOn(object ->
                            object.id().equals(workload.object().manifest().id()))
                    .singleElement()
                    .satisfies(object -> assertThat(object.object().texts("spec.template.metadata.labels"))
                            .isEqualTo(workload.labels()));
        }
    }

    @ParameterizedTest
    @MethodSource("overlays")
    @DisplayName("what kubectl makes fits the schema")
    void fits(String overlay) throws Exception {
        Stack made = Stack.of(overlay.split("/")[1], kustomize(overlay));
        assertThat(made.objects()).hasSizeGreaterThan(15);
        List<Finding> found = new ArrayList<>();
        new Schema().check(made, found::add);
        new SelectorRule().check(made, found::add);
        new PortRule().check(made, found::add);
        new PodSecurityRule().check(made, found::add);
        assertThat(found).isEmpty();
    }

    private static String withoutHash(Manifest object) {
        return object.kind().equals("ConfigMap") ? object.id().replaceAll("-[a-z0-9]{10}$", "") : object.id();
    }

    static List<Manifest> kustomize(String overlay) throws InterruptedException {
        try {
            Path made = Files.createTempFile("millrace-kustomize", ".yaml");
            Process process = new ProcessBuilder(
                            "kubectl",
                            "kustomize",
                            Manifests.ROOT.resolve(overlay).toString())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .redirectOutput(made.toFile())
                    .start();
            try {
                assertThat(process.waitFor(BOUND_SECONDS, TimeUnit.SECONDS)).isTrue();
            } finally {
                process.destroyForcibly();
            }
            String text = Files.readString(made);
            Files.delete(made);
            assertThat(process.exitValue()).as("kubectl kustomize " + overlay).isZero();
            return YamlText.documents(text).stream()
                    .map(root -> new Manifest(overlay, root))
                    .toList();
        } catch (IOException e) {
            assertThat(System.getenv("CI"))
                    .as("kubectl must be there where the build runs unattended: " + e.getMessage())
                    .isNull();
            return abort("there is no kubectl on this machine, so its kustomize is not asked: " + e.getMessage());
        }
    }
}
