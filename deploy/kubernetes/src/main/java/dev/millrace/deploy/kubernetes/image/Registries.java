package dev.millrace.deploy.kubernetes.image;

import com.google.cloud.tools.jib.api.Credential;
import com.google.cloud.tools.jib.api.ImageReference;
import com.google.cloud.tools.jib.api.InvalidImageReferenceException;
import com.google.cloud.tools.jib.api.RegistryException;
import com.google.cloud.tools.jib.api.RegistryImage;
import com.google.cloud.tools.jib.event.EventHandlers;
import com.google.cloud.tools.jib.frontend.CredentialRetrieverFactory;
import com.google.cloud.tools.jib.http.FailoverHttpClient;
import com.google.cloud.tools.jib.registry.RegistryClient;
import com.google.cloud.tools.jib.registry.credentials.CredentialRetrievalException;
import dev.millrace.core.settings.EnvironmentException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** Images in registries, with the credentials that Docker's config.json has for them. */
final class Registries {
    private static final int CONNECT_MILLIS = 10_000;
    private static final int TLS_PORT = 443;

    private Registries() {}

    static ImageReference reference(String text) {
        try {
            return ImageReference.parse(text);
        } catch (InvalidImageReferenceException e) {
            throw new IllegalArgumentException(text, e);
        }
    }

    static RegistryImage image(ImageReference reference) {
        return RegistryImage.named(reference).addCredentialRetriever(() -> credential(reference, System.getenv()));
    }

    /** Those of the file that Docker itself would read: below DOCKER_CONFIG when it is set, else below HOME. */
    static Optional<Credential> credential(ImageReference reference, Map<String, String> environment)
            throws CredentialRetrievalException {
        String home = environment.getOrDefault("HOME", System.getProperty("user.home"));
        String named = environment.getOrDefault("DOCKER_CONFIG", "");
        Path folder = named.isEmpty() ? Path.of(home, ".docker") : Path.of(named);
        return CredentialRetrieverFactory.forImage(reference, log -> {})
                .dockerConfig(folder.resolve("config.json"))
                .retrieve();
    }

    /** Whether a registry may do without TLS: only one on this machine, as for Docker. */
    static boolean isLocal(ImageReference reference) {
        return reference.getRegistry().matches("(localhost|127\\.0\\.0\\.1)(:\\d+)?");
    }

    /** Says at once that a registry cannot be reached; Jib tries for more than a minute. Where a proxy is set, it decides. */
    static void reach(ImageReference reference, String remedy) {
        if (System.getProperty("https.proxyHost") != null) {
            return;
        }
        String[] host = reference.getRegistry().split(":");
        int port = host.length > 1 ? Integer.parseInt(host[1]) : TLS_PORT;
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(host[0], port), CONNECT_MILLIS);
        } catch (IOException e) {
            throw new EnvironmentException(
                    "cannot reach the registry of " + reference + " (" + host[0] + ":" + port + ": "
                            + (e instanceof java.net.UnknownHostException ? "unknown host" : e.getMessage()) + "); "
                            + remedy,
                    e);
        }
    }

    /** The digest of an image that is in its registry. */
    static Optional<String> digest(ImageReference reference) {
        try {
            FailoverHttpClient http = new FailoverHttpClient(isLocal(reference), false, log -> {});
            try {
                RegistryClient.Factory factory = RegistryClient.factory(
                        EventHandlers.NONE, reference.getRegistry(), reference.getRepository(), http);
                Optional<Credential> credential = credential(reference, System.getenv());
                credential.ifPresent(factory::setCredential);
                RegistryClient client = factory.newRegistryClient();
                if (!client.doPushBearerAuth() && credential.isPresent()) {
                    client.configureBasicAuth();
                }
                return client.checkManifest(reference.getTag().orElseThrow())
                        .map(found -> found.getDigest().toString());
            } finally {
                http.shutDown();
            }
        } catch (IOException | RegistryException | CredentialRetrievalException e) {
            throw ImageFailure.of(e, reference.toString());
        }
    }
}
