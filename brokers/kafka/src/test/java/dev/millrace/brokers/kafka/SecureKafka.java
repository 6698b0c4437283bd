package dev.millrace.brokers.kafka;

import dev.millrace.connectors.api.local.LocalServer;
import dev.millrace.connectors.api.local.Ports;
import dev.millrace.connectors.api.local.ServerProcess;
import dev.millrace.connectors.testkit.broker.ServerKeys;
import dev.millrace.core.settings.Options;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.apache.kafka.common.Uuid;

/**
 * A server as a company runs one: TLS, a login by SCRAM or PLAIN, and rights. {@code millrace} may do everything, {@code guest}
 * nothing. Its keys are made for the test and gone with it.
 */
final class SecureKafka extends LocalServer {
    static final String PASSWORD = "s3cr3t-of-the-test";
    private static final Duration BOUND = Duration.ofSeconds(60);
    private static final Path JARS = KafkaServerFiles.jars();

    private final ServerKeys keys;

    private SecureKafka(Path directory) {
        super("Kafka server", "kafka", directory);
        keys = ServerKeys.make(directory, "server");
    }

    static SecureKafka start(Path directory) {
        SecureKafka kafka = new SecureKafka(directory);
        kafka.start(0, 19092);
        return kafka;
    }

    /** How a client with that login reaches it; {@code mechanism} is SCRAM-SHA-512 or PLAIN. */
    Options options(String mechanism, String user, String password) {
        String module = mechanism.equals("PLAIN") ? "plain.PlainLoginModule" : "scram.ScramLoginModule";
        return Options.of(Map.of(
                "address",
                address(),
                "client.security.protocol",
                "SASL_SSL",
                "client.sasl.mechanism",
                mechanism,
                "client.sasl.jaas.config",
                "org.apache.kafka.common.security." + module + " required username=\"" + user + "\" password=\""
                        + password + "\";",
                "client.ssl.truststore.location",
                keys.trust().toString(),
                "client.ssl.truststore.password",
                ServerKeys.STORE_PASSWORD,
                "client.ssl.truststore.type",
                "PKCS12"));
    }

    /** A trust store that holds another server's certificate. */
    String strangersTrust() {
        return ServerKeys.make(directory(), "stranger").trust().toString();
    }

    @Override
    protected void prepare() {
        int controllerPort = Ports.firstFree(port() + 1);
        int innerPort = Ports.firstFree(controllerPort + 1);
        KafkaOptions small = KafkaOptions.bindLocal(Options.of(Map.of("memory", "512MiB")));
        KafkaServerFiles.write(directory(), port(), controllerPort, small, KafkaServerFiles.version(JARS));
        secure(innerPort, controllerPort);
        run(KafkaServerFiles.command(
                directory(),
                JARS,
                512 << 20,
                List.of(
                        "kafka.tools.StorageTool",
                        "format",
                        "-t",
                        Uuid.randomUuid().toString(),
                        "-c",
                        settings(),
                        "--add-scram",
                        scram("millrace"),
                        "--add-scram",
                        scram("guest"))));
    }

    private static String scram(String user) {
        return "SCRAM-SHA-512=[name=" + user + ",password=" + PASSWORD + "]";
    }

    private void secure(int innerPort, int controllerPort) {
        Path file = Path.of(settings());
        Properties settings = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            settings.load(reader);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        String secure = "SECURE://127.0.0.1:" + port();
        String inner = "INNER://127.0.0.1:" + innerPort;
        settings.put("listeners", secure + "," + inner + ",CONTROLLER://127.0.0.1:" + controllerPort);
        settings.put("advertised.listeners", secure + "," + inner);
        settings.put("listener.security.protocol.map", "SECURE:SASL_SSL,INNER:PLAINTEXT,CONTROLLER:PLAINTEXT");
        settings.put("inter.broker.listener.name", "INNER");
        settings.put("sasl.enabled.mechanisms", "SCRAM-SHA-512,PLAIN");
        settings.put(
                "listener.name.secure.plain.sasl.jaas.config",
                "org.apache.kafka.common.security.plain.PlainLoginModule required user_millrace=\"" + PASSWORD + "\";");
        settings.put(
                "listener.name.secure.scram-sha-512.sasl.jaas.config",
                "org.apache.kafka.common.security.scram.ScramLoginModule required;");
        settings.put("ssl.keystore.location", keys.store().toString());
        settings.put("ssl.keystore.type", "PKCS12");
        settings.put("ssl.keystore.password", ServerKeys.STORE_PASSWORD);
        settings.put("authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer");
        settings.put("super.users", "User:ANONYMOUS;User:millrace");
        try (Writer writer = Files.newBufferedWriter(file)) {
            settings.store(writer, null);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void run(List<String> command) {
        ServerProcess process = ServerProcess.start("tool", directory(), command, Map.of());
        boolean ended = process.awaitExit(BOUND);
        process.stop(BOUND);
        if (!ended || process.exitCode().orElse(1) != 0) {
            throw new IllegalStateException(command.get(0) + " failed: " + process.logTail(20));
        }
    }

    private String settings() {
        return directory().resolve(KafkaServerFiles.SETTINGS).toString();
    }

    @Override
    protected List<String> command() {
        return KafkaServerFiles.command(directory(), JARS, 512 << 20, List.of("kafka.Kafka", settings()));
    }

    @Override
    protected Optional<String> problem() {
        try {
            KafkaBrokerClient.connect(KafkaOptions.bind(options("SCRAM-SHA-512", "millrace", PASSWORD)))
                    .close();
            return Optional.empty();
        } catch (RuntimeException e) {
            return Optional.of(e.toString());
        }
    }

    @Override
    public Path log() {
        return directory().resolve(KafkaServerFiles.LOG);
    }
}
