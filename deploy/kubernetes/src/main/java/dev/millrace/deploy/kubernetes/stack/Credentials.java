package dev.millrace.deploy.kubernetes.stack;

import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.deploy.kubernetes.cluster.ClusterStack;
import dev.millrace.deploy.kubernetes.cluster.Owned;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.ByteArrayInputStream;
import java.security.SecureRandom;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The Secrets of a stack: its ids, and a certificate with its key for each part. Made at random, never printed; the ids once and kept
 * as long as the data that are bound to them, the certificates anew before they run out. Used by one thread.
 */
public final class Credentials {
    /** The ids; the certificate of a part is in {@code PART-tls}. */
    static final String NAME = "millrace";
    /** Of pods: until when the certificates hold with which they were started. */
    public static final String UNTIL = "millrace.dev/certificates-until";
    /** With less left than this, up makes new ones, and status says so. */
    static final Duration SOON = Duration.ofDays(30);

    private static final String CERTIFICATE = "tls.crt";
    private static final int BYTES = 16;

    /** Servers that speak with each other by these names, and are spoken to by the first. */
    private static final List<String> STORE = List.of("clickhouse", "*.clickhouse-replica", "*.keeper");

    /**
     * Which Secrets a stack wants.
     *
     * @param ids the Secret with what is made at random, and its keys
     * @param parts those with certificates
     * @param takesOthers whether such Secrets may be somebody else's; then they are used as they are
     */
    private record Wanted(
            String ids,
            List<String> keys,
            List<String> parts,
            Function<Instant, Certificates> make,
            boolean takesOthers) {
        List<String> names() {
            return Stream.concat(Stream.of(ids), parts.stream().map(Credentials::tls))
                    .toList();
        }
    }

    private final KubernetesClient client;
    private final String namespace;
    private final String broker;
    private final Wanted wanted;
    /** Those that are there. */
    private final Map<String, Secret> there = new LinkedHashMap<>();
    /** Empty when those that are there hold long enough. */
    private final @Nullable Certificates made;

    private final Instant until;

    private Credentials(KubernetesClient client, String namespace, String broker, Wanted wanted, Instant now) {
        this.client = client;
        this.namespace = namespace;
        this.broker = broker;
        this.wanted = wanted;
        wanted.names().forEach(this::look);
        Optional<Instant> least =
                until(wanted.parts().stream().map(part -> there.get(tls(part))).toList());
        boolean isOthers = wanted.parts().stream().anyMatch(part -> isOthers(tls(part)));
        boolean holds = least.filter(end -> isOthers || hasOneAuthority() && end.isAfter(now.plus(SOON)))
                .isPresent();
        if (isOthers && !holds) {
            throw new EnvironmentException("in namespace " + namespace + " the Secrets "
                    + String.join(
                            ", ", wanted.parts().stream().map(Credentials::tls).toList())
                    + " are not this tool's, and have no certificate that can be read in " + CERTIFICATE);
        }
        this.made = holds ? null : wanted.make().apply(now);
        this.until = made == null ? least.orElseThrow() : made.until();
    }

    /** Looks at what is there and changes nothing; a Secret of these names that this tool did not make is refused. */
    static Credentials look(KubernetesClient client, String namespace, String broker, Instant now) {
        Wanted wanted = new Wanted(
                NAME,
                List.of("store.id", "broker.id"),
                Certificates.parts(broker),
                when -> Certificates.make(namespace, broker, when),
                false);
        return new Credentials(client, namespace, broker, wanted, now);
    }

    /** Those of the production shape, of which operators make the rest; one that somebody else made is used as it is. */
    public static Credentials lookAtStore(KubernetesClient client, String namespace, String broker, Instant now) {
        String part = STORE.get(0);
        List<String> names = STORE.stream()
                .flatMap(name -> Stream.of(
                        name,
                        name + "." + namespace,
                        name + "." + namespace + ".svc",
                        name + "." + namespace + ".svc.cluster.local"))
                .toList();
        Wanted wanted = new Wanted(
                part,
                List.of("password"),
                List.of(part),
                when -> Certificates.ofStore(namespace, part, names, when),
                true);
        return new Credentials(client, namespace, broker, wanted, now);
    }

    /** The Secret with the certificate of a part. */
    static String tls(String part) {
        return part + "-tls";
    }

    private void look(String name) {
        Secret secret = client.secrets().inNamespace(namespace).withName(name).get();
        if (secret == null) {
            return;
        }
        if (!Owned.is(secret, broker) && !wanted.takesOthers()) {
            throw new EnvironmentException("in namespace " + namespace + " there is a Secret '" + name
                    + "' that this tool did not make; it is left alone, so choose another one with --namespace");
        }
        there.put(name, secret);
    }

    private boolean isOthers(String name) {
        Secret secret = there.get(name);
        return secret != null && !Owned.is(secret, broker);
    }

    /** Whether all parts trust each other: an up that was ended between two Secrets leaves those of two authorities. */
    private boolean hasOneAuthority() {
        return wanted.parts().stream()
                        .filter(part -> !part.equals(Certificates.FLINK))
                        .map(part -> there.get(tls(part)).getData().getOrDefault("ca.crt", ""))
                        .distinct()
                        .count()
                <= 1;
    }

    /** When the first of these certificates runs out; empty when one is missing or cannot be read. */
    private static Optional<Instant> until(List<@Nullable Secret> secrets) {
        Instant least = Instant.MAX;
        for (Secret secret : secrets) {
            String text = secret == null ? null : secret.getData().get(CERTIFICATE);
            if (text == null) {
                return Optional.empty();
            }
            try {
                X509Certificate certificate = (X509Certificate) CertificateFactory.getInstance("X.509")
                        .generateCertificate(
                                new ByteArrayInputStream(Base64.getDecoder().decode(text)));
                Instant end = certificate.getNotAfter().toInstant();
                least = end.isBefore(least) ? end : least;
            } catch (CertificateException | IllegalArgumentException e) {
                return Optional.empty();
            }
        }
        return Optional.of(least);
    }

    /** When the certificates run out that the stack has after {@link #ensure}. */
    public Instant until() {
        return until;
    }

    /** What {@link #ensure} does, a line each. */
    List<String> effects() {
        List<String> lines = new ArrayList<>();
        for (String name : wanted.names()) {
            if (!there.containsKey(name)) {
                lines.add("+ Secret/" + name);
            } else if (made != null && !name.equals(wanted.ids())) {
                lines.add("~ Secret/" + name);
            }
        }
        if (made != null && there.size() > 1) {
            lines.add("  new certificates, until " + until + ": all pods start again");
        }
        return lines;
    }

    /** Makes what is missing or runs out. */
    void ensure() {
        if (!there.containsKey(wanted.ids())) {
            Map<String, String> ids = new LinkedHashMap<>();
            wanted.keys().forEach(key -> ids.put(key, random()));
            apply(secret(wanted.ids(), "Opaque", ids));
        }
        if (made != null) {
            for (String part : wanted.parts()) {
                Certificates.Identity identity = made.of(part);
                // The keys that cert-manager writes, too; the last is what servers read that want one file.
                apply(secret(
                        tls(part),
                        "kubernetes.io/tls",
                        Map.of(
                                "ca.crt",
                                identity.authority(),
                                CERTIFICATE,
                                identity.certificate(),
                                "tls.key",
                                identity.key(),
                                "tls-combined.pem",
                                identity.key() + identity.certificate())));
            }
        }
    }

    private Secret secret(String name, String type, Map<String, String> data) {
        return new SecretBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace(namespace)
                .withLabels(Owned.labels(broker))
                .endMetadata()
                .withType(type)
                .withStringData(data)
                .build();
    }

    private void apply(Secret secret) {
        String name = secret.getMetadata().getName();
        try {
            var resource = client.resource(secret);
            if (there.containsKey(name)) {
                client.secrets().inNamespace(namespace).withName(name).edit(old -> new SecretBuilder(old)
                        .withStringData(secret.getStringData())
                        .build());
            } else {
                resource.create();
            }
        } catch (KubernetesClientException e) {
            // Not what the server says of the object: that would show what is in it.
            throw new EnvironmentException("the cluster does not take the Secret '" + name + "' in namespace "
                    + namespace + " (HTTP " + e.getCode() + ")");
        }
    }

    /** When the certificates of running pods run out; empty where none says so. */
    public static Optional<Instant> until(Stream<Pod> pods) {
        return pods.map(pod -> pod.getMetadata().getAnnotations())
                .filter(annotations -> annotations != null && annotations.containsKey(UNTIL))
                .map(annotations -> Instant.parse(annotations.get(UNTIL)))
                .min(Instant::compareTo);
    }

    /** A sentence when little is left, with what to do. */
    public static Optional<String> warning(Optional<Instant> until, Instant now, ClusterStack stack) {
        return until.filter(end -> end.isBefore(now.plus(SOON)))
                .map(end -> (end.isBefore(now)
                                ? "the certificates ran out on " + end
                                : "the certificates run out in " + ChronoUnit.DAYS.between(now, end) + " days, on "
                                        + end)
                        + "; new ones: millrace up " + stack.arguments());
    }

    /** 128 bits as 22 characters, of which the first is no dash: programs would take it for an option. */
    static String random() {
        SecureRandom random = new SecureRandom();
        byte[] bytes = new byte[BYTES];
        String text;
        do {
            random.nextBytes(bytes);
            text = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        } while (text.startsWith("-"));
        return text;
    }
}
