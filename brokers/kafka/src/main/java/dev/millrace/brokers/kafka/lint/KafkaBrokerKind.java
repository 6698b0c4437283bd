package dev.millrace.brokers.kafka.lint;

import dev.millrace.brokers.kafka.KafkaServerFiles;
import dev.millrace.connectors.api.lint.Advice;
import dev.millrace.connectors.api.lint.Finding;
import dev.millrace.connectors.api.lint.KnownSetting;
import dev.millrace.connectors.api.lint.KnownSettings;
import dev.millrace.connectors.api.lint.ServerClasses;
import dev.millrace.connectors.api.lint.SettingLine;
import dev.millrace.connectors.api.lint.SettingsKind;
import dev.millrace.connectors.api.lint.SettingsPlace;
import java.lang.reflect.Field;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A broker's or controller's own file. */
public final class KafkaBrokerKind implements SettingsKind {
    /** Settings of one listener or of one provider of values, which a person names. */
    private static final List<String> OPEN = List.of("listener.name.", "config.providers");

    @Override
    public String name() {
        return "kafka-broker";
    }

    @Override
    public List<String> fileNames() {
        return List.of("server.properties", "broker.properties", "controller.properties");
    }

    /** What Strimzi writes a broker's file of. */
    @Override
    public List<SettingsPlace> places() {
        return List.of(SettingsPlace.in("Kafka", "spec.kafka.config"));
    }

    @Override
    public List<Finding> placed(KnownSettings known, List<SettingLine> asWritten) {
        return StrimziSettings.shipped().leftOut(known, asWritten);
    }

    @Override
    public KnownSettings known() {
        Path jars = KafkaServerFiles.jars();
        return ServerClasses.read(
                jars,
                loader -> new KnownSettings(
                        "Kafka " + KafkaServerFiles.version(jars),
                        settings(loader),
                        OPEN,
                        Advice.of(KafkaBrokerKind.class, "broker.advice")));
    }

    private static Map<String, KnownSetting> settings(ClassLoader loader) throws ReflectiveOperationException {
        Map<String, KnownSetting> settings =
                ConfigDefSettings.of(loader.loadClass("org.apache.kafka.server.config.AbstractKafkaConfig")
                        .getField("CONFIG_DEF")
                        .get(null));
        // The authorizer that comes with Kafka reads its own from the same file, by names that are in no definition.
        for (Field field : loader.loadClass("org.apache.kafka.metadata.authorizer.StandardAuthorizer")
                .getFields()) {
            if (field.getName().endsWith("_CONFIG")) {
                settings.put(String.valueOf(field.get(null)), KnownSetting.named());
            }
        }
        return settings;
    }
}
