package dev.millrace.deploy.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class KubernetesTargetTest {
    @Test
    @DisplayName("what breaks between here and the cluster is a sentence; a fault of our own is none")
    void sentence() {
        KubernetesTarget target = new KubernetesTarget();
        assertThat(target.sentence(
                        new KubernetesClientException("An error has occurred.", new IOException("connection reset"))))
                .hasValueSatisfying(said -> assertThat(said).contains("connection reset"));
        assertThat(target.sentence(new IllegalStateException("ours"))).isEmpty();
    }

    @Test
    @DisplayName("of a rate that is named each generator has its part; other orders are for each as they are")
    void share() {
        assertThat(PodVerb.share(List.of("generator", "rate", "10"), 0, 3)).containsExactly("generator", "rate", "4");
        assertThat(PodVerb.share(List.of("generator", "rate", "10"), 2, 3)).containsExactly("generator", "rate", "3");
        assertThat(PodVerb.share(List.of("generator", "rate", "10"), 0, 1)).containsExactly("generator", "rate", "10");
        assertThat(PodVerb.share(List.of("generator", "pause"), 1, 3)).containsExactly("generator", "pause");
        assertThat(PodVerb.share(List.of("generator", "rate"), 1, 3)).containsExactly("generator", "rate");
    }
}
