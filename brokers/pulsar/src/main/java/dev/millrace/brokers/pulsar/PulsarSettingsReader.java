package dev.millrace.brokers.pulsar;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.connectors.api.broker.EffectiveSettings;
import dev.millrace.connectors.api.broker.EffectiveSettings.Sync;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Asks the running broker, and its bookie where it is known, what they are and what holds for a topic. */
final class PulsarSettingsReader {
    private static final Duration BOOKIE_BOUND = Duration.ofSeconds(5);
    private static final int DEFAULT_LARGEST_MESSAGE_BYTES = 5 << 20;

    private static final List<String> OF_BROKER = List.of(
            "brokerDeduplicationEnabled",
            "brokerEntryMetadataInterceptors",
            "managedLedgerMaxEntriesPerLedger",
            "managedLedgerMaxSizePerLedgerMbytes",
            "managedLedgerMinLedgerRolloverTimeMinutes",
            "maxMessageSize",
            "retentionCheckIntervalInSeconds");

    private static final List<String> OF_BOOKIE =
            List.of("journalSyncData", "journalWriteData", "journalMaxGroupWaitMSec", "ledgerStorageClass");

    private PulsarSettingsReader() {}

    static EffectiveSettings read(PulsarOptions options, PulsarAdmin admin, String topic, int partitions) {
        String path = admin.topic(topic);
        JsonNode persistence =
                admin.read(path + "/persistence?applied=true", "tell the replicas of topic '" + topic + "'");
        int written = persistence.path("bookkeeperWriteQuorum").asInt();
        Map<String, String> others = new TreeMap<>();
        ofBroker(admin).forEach((key, value) -> {
            if (OF_BROKER.contains(key)) {
                others.put(key, value);
            }
        });
        for (String policy : List.of("retention", "backlogQuotaMap", "messageTTL", "deduplicationEnabled")) {
            PulsarAdmin.Answer answer = admin.get(path + "/" + policy + "?applied=true", "tell its " + policy);
            if (answer.isFine()) {
                others.put(policy, answer.body());
            }
        }
        Map<String, String> bookie = ofBookie(options);
        others.putAll(bookie);
        others.put("partitions", Integer.toString(partitions));
        others.put("bookkeeperEnsemble", persistence.path("bookkeeperEnsemble").asText());
        return new EffectiveSettings(
                admin.fine(admin.get("/admin/v2/brokers/version", "tell its version"), "tell its version")
                        .body()
                        .trim(),
                written,
                "bookkeeperAckQuorum=" + persistence.path("bookkeeperAckQuorum").asInt() + " of bookkeeperWriteQuorum="
                        + written,
                sync(bookie),
                fsync(bookie),
                others);
    }

    /** What a message may have; Pulsar's default where the broker does not tell its settings to everybody. */
    static int largestMessageBytes(PulsarAdmin admin) {
        String bytes = ofBroker(admin).get("maxMessageSize");
        return bytes == null ? DEFAULT_LARGEST_MESSAGE_BYTES : Integer.parseInt(bytes);
    }

    /** Only a super user may ask for these; empty for others. */
    static Map<String, String> ofBroker(PulsarAdmin admin) {
        PulsarAdmin.Answer answer = admin.get("/admin/v2/brokers/configuration/runtime", "tell its settings");
        return answer.isFine() ? texts(answer.json()) : Map.of();
    }

    private static Map<String, String> ofBookie(PulsarOptions options) {
        if (options.bookie().isEmpty()) {
            return Map.of();
        }
        try {
            Map<String, String> all =
                    texts(PulsarAdmin.probe(options.bookie() + "/api/v1/config/server_config", BOOKIE_BOUND)
                            .json());
            Map<String, String> settings = new TreeMap<>();
            all.forEach((key, value) -> {
                if (OF_BOOKIE.contains(key)) {
                    settings.put(key, value);
                }
            });
            return settings;
        } catch (IOException e) {
            return Map.of();
        }
    }

    private static Sync sync(Map<String, String> bookie) {
        return switch (bookie.getOrDefault("journalSyncData", "")) {
            case "true" -> Sync.BEFORE_ACKNOWLEDGEMENT;
            case "false" -> Sync.LATER;
            default -> Sync.UNKNOWN;
        };
    }

    private static String fsync(Map<String, String> bookie) {
        return switch (sync(bookie)) {
            case BEFORE_ACKNOWLEDGEMENT -> "before each acknowledgement (journalSyncData=true)";
            case LATER -> "left to the operating system (journalSyncData=false)";
            case UNKNOWN ->
                "the bookies' setting journalSyncData, which brokers do not tell (option bookie names one to ask)";
        };
    }

    private static Map<String, String> texts(JsonNode object) {
        Map<String, String> texts = new TreeMap<>();
        object.properties()
                .forEach(field -> texts.put(field.getKey(), field.getValue().asText()));
        return texts;
    }
}
