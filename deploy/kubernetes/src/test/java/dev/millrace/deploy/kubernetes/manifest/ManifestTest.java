package dev.millrace.deploy.kubernetes.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What is applied to a cluster, checked in seconds and without one. */
class ManifestTest {
    private static final Manifests MANIFESTS = Manifests.ofClone();

    @Test
    @DisplayName("there are manifests to check, and stacks of them")
    void something() {
        assertThat(MANIFESTS.overlays()).isNotEmpty();
        assertThat(MANIFESTS.objects()).hasSizeGreaterThan(10);
        assertThat(MANIFESTS.overlays())
                .allSatisfy(overlay ->
                        assertThat(Stack.of(MANIFESTS, overlay).workloads()).hasSize(5));
    }

    @Test
    @DisplayName("in the manifests of this clone there is nothing to find")
    void nothing() {
        assertThat(Check.of(MANIFESTS)).isEmpty();
    }
}
