package dev.millrace.brokers.pulsar.lint;

import dev.millrace.brokers.pulsar.LocalPulsarFiles;
import dev.millrace.connectors.api.lint.Advice;
import dev.millrace.connectors.api.lint.Finding;
import dev.millrace.connectors.api.lint.KnownSettings;
import dev.millrace.connectors.api.lint.SettingLine;
import dev.millrace.connectors.api.lint.SettingsKind;
import dev.millrace.connectors.api.lint.SettingsPlace;
import java.util.List;

/** The broker's own file. */
public final class BrokerKind implements SettingsKind {
    static final String FILE = "broker.conf";
    static final String ADVICE = "broker.advice";

    /** Handed on to the clients that a broker holds, and to what writes old messages elsewhere. */
    static final List<String> OPEN = List.of("bookkeeper_", "brokerClient_", "managedLedgerOffloadExtraConfig");

    @Override
    public String name() {
        return "pulsar-broker";
    }

    @Override
    public List<String> fileNames() {
        return List.of(FILE);
    }

    @Override
    public List<String> foreignFileNames() {
        return List.of(
                "client.conf",
                "functions_worker.yml",
                "global_zookeeper.conf",
                "proxy.conf",
                "websocket.conf",
                "zookeeper.conf");
    }

    /**
     * Pulsar's chart; what the shipped file does not have is told to its scripts by the prefix. What begins with {@code PF_} goes
     * to the functions' own file.
     */
    @Override
    public List<SettingsPlace> places() {
        return ChartSettings.at("broker.configData", "PF_");
    }

    @Override
    public List<Finding> placed(KnownSettings known, List<SettingLine> asWritten) {
        return ChartSettings.passedOver(FILE, known, asWritten);
    }

    @Override
    public KnownSettings known() {
        Distribution distribution = new Distribution(LocalPulsarFiles.distribution());
        return new KnownSettings(
                "Pulsar " + distribution.version("org.apache.pulsar-pulsar-broker"),
                BrokerSettings.of(distribution),
                OPEN,
                Advice.of(BrokerKind.class, ADVICE));
    }
}
