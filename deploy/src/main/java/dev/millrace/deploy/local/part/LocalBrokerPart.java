package dev.millrace.deploy.local.part;

import dev.millrace.connectors.api.broker.Broker;
import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.connectors.api.broker.LocalBroker;
import dev.millrace.core.settings.Options;
import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.deploy.local.StackMemory;
import dev.millrace.deploy.local.StackSettings;
import dev.millrace.deploy.local.StackState;
import dev.millrace.deploy.local.StackTopics;
import java.nio.file.Path;
import java.util.Optional;

/** A server on this machine, by the broker's plugin. */
final class LocalBrokerPart implements BrokerPart {
    private final Broker broker;
    private final StackSettings settings;
    private final RunDirectory directory;
    private volatile Optional<LocalBroker> local = Optional.empty();
    private volatile Options options = Options.none();

    LocalBrokerPart(Broker broker, StackSettings settings, RunDirectory directory) {
        this.broker = broker;
        this.settings = settings;
        this.directory = directory;
    }

    @Override
    public String name() {
        return StackState.BROKER;
    }

    @Override
    public synchronized void start() {
        if (local.isPresent()) {
            local.get().restart();
            return;
        }
        Options server = StackMemory.ofServer(settings);
        if (settings.port("broker-port").isPresent()) {
            server = server.with("port", settings.text("broker-port"));
        }
        Path folder = directory.brokerFolder();
        LaunchMark mark = LaunchMark.of(directory, StackState.BROKER);
        if (directory.runsBelow(folder) && mark.differs(server.asMap().toString())) {
            // Taken over on the port that it has, which may be another one than it is to get.
            broker.startLocal(folder, server.without("port")).close();
        }
        mark.write(server.asMap().toString());
        LocalBroker started = broker.startLocal(folder, server);
        local = Optional.of(started);
        options = started.options();
        createTopics();
    }

    private void createTopics() {
        try (BrokerClient client = broker.connect(options)) {
            StackTopics.of(settings).forEach(spec -> StackTopics.make(client, spec));
        }
    }

    @Override
    public void renewResults() {
        try (BrokerClient client = broker.connect(options)) {
            client.deleteTopic(settings.resultsTopic());
        }
        createTopics();
    }

    @Override
    public Options options() {
        return options;
    }

    @Override
    public String address() {
        return local.map(LocalBroker::address).orElse("");
    }

    @Override
    public boolean isAlive() {
        return local.map(LocalBroker::isAlive).orElse(false);
    }

    @Override
    public Optional<String> ending() {
        return local.flatMap(LocalBroker::ending);
    }

    @Override
    public long pid() {
        return local.filter(LocalBroker::isAlive).map(LocalBroker::pid).orElse(0L);
    }

    @Override
    public void kill() {
        local.ifPresent(LocalBroker::kill);
    }

    @Override
    public synchronized void stop() {
        local.ifPresent(LocalBroker::close);
    }

    @Override
    public String url() {
        return address();
    }

    @Override
    public String metricsUrl() {
        return "";
    }

    @Override
    public String log() {
        return local.map(started -> started.log().toString()).orElse("");
    }
}
