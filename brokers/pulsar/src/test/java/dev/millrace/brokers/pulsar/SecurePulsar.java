package dev.millrace.brokers.pulsar;

import dev.millrace.brokers.pulsar.LocalPulsarFiles.PortsOfServer;
import dev.millrace.connectors.api.local.LocalServer;
import dev.millrace.connectors.api.local.Ports;
import dev.millrace.connectors.testkit.broker.ServerKeys;
import dev.millrace.core.settings.Options;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A server as a company runs one: TLS, a login by JSON Web Token, and rights. {@code millrace} may do everything, {@code guest}
 * nothing. Its keys are made for the test and gone with it.
 */
final class SecurePulsar extends LocalServer {
    private static final long MEMORY_BYTES = 1200L << 20;
    private static final Duration READY_BOUND = Duration.ofSeconds(180);

    private final Path distribution = LocalPulsarFiles.distribution();
    private final ServerKeys keys;
    private int adminPort;

    private SecurePulsar(Path directory) {
        super("Pulsar server", "pulsar", directory);
        keys = ServerKeys.make(directory, "server");
    }

    static SecurePulsar start(Path directory) {
        SecurePulsar pulsar = new SecurePulsar(directory);
        pulsar.start(0, 16651);
        return pulsar;
    }

    /** How a client with the token in that file reaches it. */
    Options options(Path token) {
        return Options.of(Map.of(
                "address",
                address(),
                "admin",
                "https://127.0.0.1:" + adminPort,
                "client.useTls",
                "true",
                "client.tlsTrustCertsFilePath",
                keys.certificate().toString(),
                "client.authPluginClassName",
                "org.apache.pulsar.client.impl.auth.AuthenticationToken",
                "client.authParams",
                "file://" + token));
    }

    /** A file with a token for that role; a wrong one is signed by another key. */
    Path token(String role, boolean right) {
        try {
            byte[] secret = Files.readAllBytes(secret());
            secret[0] += right ? 0 : 1;
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret, "HmacSHA256"));
            String signed = base64("{\"alg\":\"HS256\"}") + "." + base64("{\"sub\":\"" + role + "\"}");
            Base64.Encoder encoder = Base64.getUrlEncoder().withoutPadding();
            String token =
                    signed + "." + encoder.encodeToString(mac.doFinal(signed.getBytes(StandardCharsets.US_ASCII)));
            return Files.writeString(directory().resolve(role + "-" + right + ".token"), token);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String base64(String text) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.US_ASCII));
    }

    private Path secret() {
        return directory().resolve("secret.key");
    }

    /** A certificate that is not this server's. */
    String strangersCertificate() {
        return ServerKeys.make(directory(), "stranger").certificate().toString();
    }

    @Override
    protected void prepare() {
        try {
            Files.writeString(secret(), "of-the-test-and-at-least-32-bytes-long");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        adminPort = Ports.firstFree(port() + 1);
        int inner = Ports.firstFree(adminPort + 1);
        PortsOfServer ports = new PortsOfServer(
                inner, Ports.firstFree(inner + 1), Ports.firstFree(inner + 1), Ports.firstFree(inner + 1));
        Options options = Options.none();
        for (Map.Entry<String, String> setting : security().entrySet()) {
            options = options.with("server." + setting.getKey(), setting.getValue());
        }
        PulsarOptions bound = PulsarOptions.bindLocal(options.with("memory", Long.toString(MEMORY_BYTES)));
        LocalPulsarFiles.write(directory(), distribution, ports, bound);
    }

    private Map<String, String> security() {
        return Map.ofEntries(
                Map.entry("brokerServicePortTls", Integer.toString(port())),
                Map.entry("webServicePortTls", Integer.toString(adminPort)),
                Map.entry("tlsCertificateFilePath", keys.certificate().toString()),
                Map.entry("tlsKeyFilePath", keys.key().toString()),
                Map.entry("authenticationEnabled", "true"),
                Map.entry(
                        "authenticationProviders",
                        "org.apache.pulsar.broker.authentication.AuthenticationProviderToken"),
                Map.entry("tokenSecretKey", "file://" + secret()),
                Map.entry("authorizationEnabled", "true"),
                Map.entry("superUserRoles", "millrace,server"),
                Map.entry("brokerClientAuthenticationPlugin", "org.apache.pulsar.client.impl.auth.AuthenticationToken"),
                Map.entry("brokerClientAuthenticationParameters", "file://" + token("server", true)));
    }

    @Override
    protected List<String> command() {
        return LocalPulsarFiles.command(
                directory(), distribution, LocalPulsarFiles.ports(directory()).bookie(), MEMORY_BYTES);
    }

    @Override
    protected Map<String, String> environment() {
        return Map.of("PULSAR_STANDALONE_USE_ZOOKEEPER", "0");
    }

    @Override
    protected Duration readyBound() {
        return READY_BOUND;
    }

    @Override
    protected Optional<String> problem() {
        try {
            new PulsarBroker().connect(options(token("millrace", true))).close();
            return Optional.empty();
        } catch (RuntimeException e) {
            return Optional.of(e.toString());
        }
    }

    @Override
    public Path log() {
        return directory().resolve(LocalPulsarFiles.LOG);
    }
}
