package dev.millrace.brokers.pulsar;

import dev.millrace.brokers.pulsar.LocalPulsarFiles.PortsOfServer;
import dev.millrace.connectors.api.broker.LocalBroker;
import dev.millrace.connectors.api.local.LocalServer;
import dev.millrace.connectors.api.local.Ports;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.Options;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A Pulsar server on this machine: broker, bookie and metadata in one process, on loopback. */
final class LocalPulsar extends LocalServer implements LocalBroker {
    private static final Duration READY_BOUND = Duration.ofSeconds(180);
    private static final Duration PROBE_BOUND = Duration.ofSeconds(5);

    private final Options options;
    private final PulsarOptions bound;
    private final Path distribution = LocalPulsarFiles.distribution();

    private LocalPulsar(Path directory, Options options, PulsarOptions bound) {
        super("Pulsar server", "pulsar", directory);
        this.options = options;
        this.bound = bound;
    }

    static LocalPulsar start(Path workDirectory, Options options) {
        PulsarOptions bound = PulsarOptions.bindLocal(options);
        LocalPulsar pulsar = new LocalPulsar(workDirectory, options, bound);
        pulsar.start(bound.port(), PulsarOptions.WELL_KNOWN_PORT);
        return pulsar;
    }

    @Override
    protected void prepare() {
        LocalPulsarFiles.write(directory(), distribution, choosePorts(directory(), port()), bound);
    }

    /** The ports of a server whose broker is on {@code port}. */
    static PortsOfServer choosePorts(Path directory, int port) {
        // The bookie's first: it may be given, and the others are chosen beside it.
        int bookie = bookiePort(directory, port);
        int admin = Ports.isFree(PulsarOptions.WELL_KNOWN_ADMIN_PORT) ? PulsarOptions.WELL_KNOWN_ADMIN_PORT : port + 1;
        return new PortsOfServer(port, Ports.firstFree(admin), bookie, Ports.firstFree(port + 1));
    }

    /** The one of its data: a bookie knows them, and is known, by its address. */
    private static int bookiePort(Path directory, int port) {
        if (!LocalPulsarFiles.hasBookie(directory)) {
            return Ports.firstFree(port + 1);
        }
        int kept = LocalPulsarFiles.ports(directory).bookie();
        if (!Ports.again(kept)) {
            throw new EnvironmentException("the data in " + directory + " are those of a bookie on port " + kept
                    + ", which another process has taken or which is named for another part; free it, then the server"
                    + " starts again");
        }
        return kept;
    }

    private PortsOfServer portsOfServer() {
        return LocalPulsarFiles.ports(directory());
    }

    @Override
    protected List<String> command() {
        return LocalPulsarFiles.command(
                directory(), distribution, portsOfServer().bookie(), bound.memoryBytes());
    }

    @Override
    protected Map<String, String> environment() {
        return Map.of("PULSAR_STANDALONE_USE_ZOOKEEPER", "0");
    }

    @Override
    protected List<Integer> ports() {
        PortsOfServer ports = portsOfServer();
        return List.of(ports.broker(), ports.admin(), ports.bookie(), ports.bookieAdmin());
    }

    @Override
    protected Duration readyBound() {
        // A broker, a bookie and a web server, on a machine that may be busy with a build.
        return READY_BOUND;
    }

    @Override
    protected Optional<String> problem() {
        String cluster = LocalPulsarFiles.clusterName(directory());
        try {
            PulsarAdmin.Answer clusters = PulsarAdmin.probe(admin() + "/admin/v2/clusters", PROBE_BOUND);
            if (!clusters.body().contains('"' + cluster + '"')) {
                return Optional.of("the cluster is not " + cluster + " (yet): " + clusters.reason());
            }
            PulsarAdmin.Answer namespaces = PulsarAdmin.probe(admin() + "/admin/v2/namespaces/public", PROBE_BOUND);
            return namespaces.isFine() && namespaces.body().contains("\"public/default\"")
                    ? Optional.empty()
                    : Optional.of("it is not complete yet: " + namespaces.reason());
        } catch (IOException e) {
            return Optional.of(e.toString());
        }
    }

    private String admin() {
        return "http://127.0.0.1:" + portsOfServer().admin();
    }

    @Override
    public Options options() {
        return options.with("address", address())
                .with("admin", admin())
                .with("bookie", "http://127.0.0.1:" + portsOfServer().bookieAdmin());
    }

    @Override
    public Path log() {
        return directory().resolve(LocalPulsarFiles.LOG);
    }
}
