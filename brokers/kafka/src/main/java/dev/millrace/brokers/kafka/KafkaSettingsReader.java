package dev.millrace.brokers.kafka;

import dev.millrace.connectors.api.broker.EffectiveSettings;
import dev.millrace.connectors.api.broker.EffectiveSettings.Sync;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.SupportedVersionRange;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;

/** Asks the running broker what it is and what holds for a topic. */
final class KafkaSettingsReader {
    private static final List<String> OF_INTEREST = List.of(
            TopicConfig.RETENTION_BYTES_CONFIG,
            TopicConfig.RETENTION_MS_CONFIG,
            TopicConfig.SEGMENT_BYTES_CONFIG,
            TopicConfig.COMPRESSION_TYPE_CONFIG,
            TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG,
            TopicConfig.MAX_MESSAGE_BYTES_CONFIG,
            TopicConfig.CLEANUP_POLICY_CONFIG,
            TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG);

    private KafkaSettingsReader() {}

    static EffectiveSettings read(Admin admin, String address, TopicDescription description) {
        Map<String, String> topic = topicSettings(admin, address, description.name());
        int leader = description.partitions().get(0).leader().id();
        Map<String, String> server =
                settings(admin, address, new ConfigResource(ConfigResource.Type.BROKER, Integer.toString(leader)));
        int replicas = description.partitions().get(0).replicas().size();
        Map<String, String> others = new TreeMap<>();
        for (String key : OF_INTEREST) {
            String value = topic.get(key);
            if (value != null) {
                others.put(key, value);
            }
        }
        others.put("partitions", Integer.toString(description.partitions().size()));
        others.put(
                "servers",
                Integer.toString(KafkaCalls.await(
                                admin.describeCluster()
                                        .nodes()
                                        .toCompletionStage()
                                        .toCompletableFuture(),
                                address,
                                "describe itself")
                        .size()));
        return new EffectiveSettings(
                version(admin, address, server),
                replicas,
                "acks=all, min.insync.replicas=" + topic.get(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG),
                // Every message is forced before its append ends, and so before it is acknowledged; else some are, or
                // none.
                topic.getOrDefault(TopicConfig.FLUSH_MESSAGES_INTERVAL_CONFIG, "")
                                .equals("1")
                        ? Sync.BEFORE_ACKNOWLEDGEMENT
                        : Sync.LATER,
                fsync(topic),
                others);
    }

    /**
     * No request of Kafka's protocol answers with the release. A server that was started here carries it in its settings;
     * of any other one the newest metadata version it supports tells the line.
     */
    private static String version(Admin admin, String address, Map<String, String> server) {
        for (String key : server.keySet()) {
            if (key.startsWith(KafkaServerFiles.VERSION_KEY_PREFIX)) {
                return key.substring(KafkaServerFiles.VERSION_KEY_PREFIX.length());
            }
        }
        Map<String, SupportedVersionRange> features = KafkaCalls.await(
                        admin.describeFeatures()
                                .featureMetadata()
                                .toCompletionStage()
                                .toCompletableFuture(),
                        address,
                        "tell its features")
                .supportedFeatures();
        SupportedVersionRange metadata = features.get("metadata.version");
        return metadata == null ? "before 3.3" : line(metadata.maxVersion());
    }

    /** From Kafka's MetadataVersion: the last level of each release. */
    static String line(int level) {
        Map<Integer, String> lastLevels =
                Map.of(7, "3.3", 8, "3.4", 11, "3.5", 14, "3.6", 19, "3.7", 20, "3.8", 21, "3.9", 25, "4.0", 27, "4.1");
        return new TreeMap<>(lastLevels)
                .entrySet().stream()
                        .filter(entry -> level <= entry.getKey())
                        .findFirst()
                        .map(entry -> entry.getValue() + ".x (metadata.version " + level + ")")
                        .orElse("after 4.1 (metadata.version " + level + ")");
    }

    private static String fsync(Map<String, String> topic) {
        String messages = topic.getOrDefault(TopicConfig.FLUSH_MESSAGES_INTERVAL_CONFIG, "");
        String millis = topic.getOrDefault(TopicConfig.FLUSH_MS_CONFIG, "");
        String never = Long.toString(Long.MAX_VALUE);
        if (messages.equals(never) && millis.equals(never)) {
            return "left to the operating system (flush.messages and flush.ms unset)";
        }
        return "flush.messages=" + messages + ", flush.ms=" + millis;
    }

    static Map<String, String> topicSettings(Admin admin, String address, String topic) {
        return settings(admin, address, new ConfigResource(ConfigResource.Type.TOPIC, topic));
    }

    private static Map<String, String> settings(Admin admin, String address, ConfigResource resource) {
        Config config = KafkaCalls.await(
                admin.describeConfigs(List.of(resource))
                        .values()
                        .get(resource)
                        .toCompletionStage()
                        .toCompletableFuture(),
                address,
                "tell the settings of " + resource.name());
        Map<String, String> settings = new TreeMap<>();
        for (ConfigEntry entry : config.entries()) {
            settings.put(entry.name(), entry.value() == null ? "" : entry.value());
        }
        return settings;
    }
}
