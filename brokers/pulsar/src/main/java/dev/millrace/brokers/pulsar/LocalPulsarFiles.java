package dev.millrace.brokers.pulsar;

import java.util.Set;

/** What a local server reads: its jars, its settings, its log's settings. */
final class LocalPulsarFiles {
    /** Ours, because they say where the server is and whose. */
    static final Set<String> FIXED = Set.of(
            "advertisedAddress",
            "bindAddress",
            "brokerServicePort",
            "clusterName",
            "journalDirectories",
            "journalDirectory",
            "ledgerDirectories",
            "listeningInterface",
            "metadataStoreUrl",
            "webServicePort");

    private LocalPulsarFiles() {}
}
