package dev.millrace.deploy.kubernetes;

import dev.millrace.core.settings.EnvironmentException;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.security.SecureRandom;
import java.util.Base64;

/** The Secret of a stack: made once, at random, never printed, and kept as long as the data that are bound to it. */
final class Credentials {
    static final String NAME = "millrace";
    private static final int BYTES = 16;

    private Credentials() {}

    /** Makes it where it is not there. */
    static void ensure(KubernetesClient client, String namespace, String broker) {
        Secret there = client.secrets().inNamespace(namespace).withName(NAME).get();
        if (there != null && Owned.is(there, broker)) {
            return;
        }
        if (there != null) {
            throw new EnvironmentException("in namespace " + namespace + " there is a Secret '" + NAME
                    + "' that this tool did not make; it is left alone, so choose another one with --namespace");
        }
        Secret made = new SecretBuilder()
                .withNewMetadata()
                .withName(NAME)
                .withNamespace(namespace)
                .withLabels(Owned.labels(broker))
                .endMetadata()
                .withType("Opaque")
                .addToStringData("store.id", random())
                .addToStringData("broker.id", random())
                .build();
        try {
            client.resource(made).create();
        } catch (KubernetesClientException e) {
            // Not what the server says of the object: that would show what is in it.
            throw new EnvironmentException("the cluster does not take the Secret '" + NAME + "' in namespace "
                    + namespace + " (HTTP " + e.getCode() + ")");
        }
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
