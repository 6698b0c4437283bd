package dev.millrace.deploy.kubernetes.stack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.deploy.kubernetes.cluster.LoopbackCluster;
import dev.millrace.deploy.kubernetes.cluster.Owned;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class CredentialsTest {
    private static final Instant NOW = Instant.parse("2026-11-27T12:00:00Z");

    @Test
    @DisplayName("what is made at random is 22 characters that no program takes for an option, and never the same")
    void random() {
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < 10_000; i++) {
            String text = Credentials.random();
            assertThat(text).matches("[A-Za-z0-9_][A-Za-z0-9_-]{21}");
            assertThat(seen.add(text)).isTrue();
        }
    }

    @Test
    @DisplayName("certificates that hold are kept, those that run out and those of two authorities are made anew")
    void anew() throws IOException {
        List<String> parts = Certificates.parts("b");
        Certificates one = Certificates.make("ns", "b", NOW);
        try (LoopbackCluster cluster = new LoopbackCluster()) {
            parts.forEach(part -> put(cluster, part, one));
            put(cluster, "millrace", one);
            assertThat(effects(cluster, NOW)).isEmpty();
            assertThat(effects(cluster, NOW.plus(Certificates.VALIDITY).minus(Duration.ofDays(29))))
                    .anyMatch(line -> line.contains("new certificates"));
            // As an up leaves them that was ended between two of them.
            put(cluster, "store", Certificates.make("ns", "b", NOW));
            assertThat(effects(cluster, NOW))
                    .contains("~ Secret/store-tls", "~ Secret/jobmanager-tls")
                    .anyMatch(line -> line.contains("new certificates"));
        }
    }

    private static List<String> effects(LoopbackCluster cluster, Instant now) {
        return Credentials.look(cluster.cluster().client(), "ns", "b", now).effects();
    }

    /** A part's Secret, or that with the ids. */
    private static void put(LoopbackCluster cluster, String part, Certificates certificates) {
        Certificates.Identity identity = certificates.of(part);
        String labels = Owned.labels("b").entrySet().stream()
                .map(label -> label.getKey() + ": " + label.getValue())
                .collect(Collectors.joining(", "));
        cluster.with(
                "secrets",
                """
                apiVersion: v1
                kind: Secret
                metadata: {name: %s, namespace: ns, labels: {%s}}
                data: {ca.crt: %s, tls.crt: %s}
                """
                        .formatted(
                                identity == null ? part : Credentials.tls(part),
                                labels,
                                identity == null ? "" : encoded(identity.authority()),
                                identity == null ? "" : encoded(identity.certificate())));
    }

    private static String encoded(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
