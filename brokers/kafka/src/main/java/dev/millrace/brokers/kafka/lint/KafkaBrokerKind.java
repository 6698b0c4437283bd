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
import java.util.stream.Stream;

/** A broker's or controller's own file. */
public final class KafkaBrokerKind implements SettingsKind {
    private static final List<String> OPEN = List.of(
            // Of one listener, of one provider of values, of one label, which a person names.
            "listener.name.",
            "config.providers",
            "metrics.context.",
            // Of Cruise Control's reporter, which is in a jar of its own.
            "cruise.control.metrics.");

    /** Their values are what the settings of a store for old records, and of its index, begin with. */
    private static final List<String> PREFIXES =
            List.of("remote.log.storage.manager.impl.prefix", "remote.log.metadata.manager.impl.prefix");

    /** They read their own from a broker's file, by names that are in no definition. */
    private static final List<String> READERS = List.of(
            "org.apache.kafka.metadata.authorizer.StandardAuthorizer", "org.apache.kafka.common.metrics.JmxReporter");

    @Override
    public String name() {
        return "kafka-broker";
    }

    @Override
    public List<String> fileNames() {
        return List.of("server.properties", "broker.properties", "controller.properties");
    }

    @Override
    public List<String> foreignFileNames() {
        return List.of(
                "connect-distributed.properties", "connect-mirror-maker.properties", "connect-standalone.properties");
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
        return ServerClasses.read(jars, loader -> {
            Object definition = loader.loadClass("org.apache.kafka.server.config.AbstractKafkaConfig")
                    .getField("CONFIG_DEF")
                    .get(null);
            return new KnownSettings(
                    "Kafka " + KafkaServerFiles.version(jars),
                    settings(loader, definition),
                    openPrefixes(definition),
                    Advice.of(KafkaBrokerKind.class, "broker.advice"));
        });
    }

    private static Map<String, KnownSetting> settings(ClassLoader loader, Object definition)
            throws ReflectiveOperationException {
        Map<String, KnownSetting> settings = ConfigDefSettings.of(definition);
        for (String reader : READERS) {
            for (Field field : loader.loadClass(reader).getFields()) {
                if (field.getName().endsWith("_CONFIG")) {
                    settings.put(String.valueOf(field.get(null)), KnownSetting.named());
                }
            }
        }
        return settings;
    }

    private static List<String> openPrefixes(Object definition) throws ReflectiveOperationException {
        Map<?, ?> defaults =
                (Map<?, ?>) definition.getClass().getMethod("defaultValues").invoke(definition);
        return Stream.concat(OPEN.stream(), PREFIXES.stream().map(key -> String.valueOf(defaults.get(key))))
                .toList();
    }
}
