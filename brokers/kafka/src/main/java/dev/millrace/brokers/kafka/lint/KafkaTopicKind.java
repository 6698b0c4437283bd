package dev.millrace.brokers.kafka.lint;

import dev.millrace.brokers.kafka.KafkaServerFiles;
import dev.millrace.connectors.api.lint.KnownSettings;
import dev.millrace.connectors.api.lint.ServerClasses;
import dev.millrace.connectors.api.lint.SettingsKind;
import dev.millrace.connectors.api.lint.SettingsPlace;
import java.nio.file.Path;
import java.util.List;

/** What a topic has for itself. There is no such file; Strimzi's {@code KafkaTopic} has them. */
public final class KafkaTopicKind implements SettingsKind {
    @Override
    public String name() {
        return "kafka-topic";
    }

    @Override
    public List<String> fileNames() {
        return List.of();
    }

    @Override
    public List<SettingsPlace> places() {
        return List.of(SettingsPlace.in("KafkaTopic", "spec.config"));
    }

    @Override
    public KnownSettings known() {
        Path jars = KafkaServerFiles.jars();
        return ServerClasses.read(
                jars,
                loader -> new KnownSettings(
                        "Kafka " + KafkaServerFiles.version(jars),
                        ConfigDefSettings.of(loader.loadClass("org.apache.kafka.storage.internals.log.LogConfig")
                                .getMethod("configDefCopy")
                                .invoke(null)),
                        List.of(),
                        List.of()));
    }
}
