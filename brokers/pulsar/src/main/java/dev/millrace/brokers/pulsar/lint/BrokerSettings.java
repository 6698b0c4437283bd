package dev.millrace.brokers.pulsar.lint;

import dev.millrace.connectors.api.lint.Deprecation;
import dev.millrace.connectors.api.lint.KnownSetting;
import dev.millrace.connectors.api.lint.ServerClasses;
import java.lang.annotation.Annotation;
import java.lang.reflect.Field;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The broker's settings: the annotated fields of its configuration. What the shipped file has beside them is read by code that a
 * broker loads by name (offloaders, checks of logins), and is known by name only; so is what only that code names.
 */
final class BrokerSettings {
    private static final String CONFIGURATION = "org.apache.pulsar.broker.ServiceConfiguration";
    private static final String CONTEXT = "org.apache.pulsar.common.configuration.FieldContext";

    private static final String OFFLOADERS = "org.apache.pulsar.common.policies.data.OffloadPoliciesImpl";

    /** They read the broker's file by names that they hold in constants. */
    private static final List<String> READERS = List.of(
            "org.apache.pulsar.broker.authentication.AuthenticationProviderBasic",
            "org.apache.pulsar.broker.authentication.AuthenticationProviderToken",
            "org.apache.pulsar.broker.authentication.oidc.AuthenticationProviderOpenID",
            "org.apache.bookkeeper.client.TopologyAwareEnsemblePlacementPolicy",
            "org.apache.bookkeeper.net.CommonConfigurationKeys");

    /** What stands in the place of a field, in its description; the last word is a field's name. */
    private static final Pattern SUCCESSOR =
            Pattern.compile("(?:use|using|favou?r of)\\s+(?:using\\s+)?`?(\\w+)", Pattern.CASE_INSENSITIVE);

    private static final int STEPS_MAX = 5;

    private BrokerSettings() {}

    static Map<String, KnownSetting> of(Distribution distribution) {
        return ServerClasses.read(distribution.jars(), loader -> {
            Object configuration =
                    loader.loadClass(CONFIGURATION).getDeclaredConstructor().newInstance();
            Class<? extends Annotation> context = loader.loadClass(CONTEXT).asSubclass(Annotation.class);
            Map<String, Field> fields = Stream.of(configuration.getClass().getDeclaredFields())
                    .filter(field -> field.isAnnotationPresent(context))
                    .collect(Collectors.toMap(Field::getName, field -> field));
            Map<String, KnownSetting> settings = new TreeMap<>();
            distribution.shipped(BrokerKind.FILE).keySet().forEach(key -> settings.put(key, KnownSetting.named()));
            SettingNames.constants(loader, READERS).forEach(key -> settings.put(key, KnownSetting.named()));
            SettingNames.fields(loader, OFFLOADERS).forEach(key -> settings.put(key, KnownSetting.named()));
            for (Field field : fields.values()) {
                settings.put(
                        field.getName(),
                        new KnownSetting(
                                new FieldRule(loader, field, configuration, field.getAnnotation(context)),
                                deprecation(field, context, fields)));
            }
            return settings;
        });
    }

    private static Optional<Deprecation> deprecation(
            Field field, Class<? extends Annotation> context, Map<String, Field> fields)
            throws ReflectiveOperationException {
        if (!isDeprecated(field, context)) {
            return Optional.empty();
        }
        Optional<String> name = successor(field, context, fields);
        // What took its place may have been replaced too.
        for (int step = 0; step < STEPS_MAX && name.isPresent(); step++) {
            Field next = fields.get(name.get());
            Optional<String> after = isDeprecated(next, context) ? successor(next, context, fields) : Optional.empty();
            if (after.isEmpty()) {
                break;
            }
            name = after;
        }
        return Optional.of(new Deprecation(name));
    }

    private static boolean isDeprecated(Field field, Class<? extends Annotation> context)
            throws ReflectiveOperationException {
        return field.isAnnotationPresent(Deprecated.class)
                || (boolean) context.getMethod("deprecated").invoke(field.getAnnotation(context));
    }

    private static Optional<String> successor(
            Field field, Class<? extends Annotation> context, Map<String, Field> fields)
            throws ReflectiveOperationException {
        String description = String.valueOf(context.getMethod("doc").invoke(field.getAnnotation(context)));
        return SUCCESSOR
                .matcher(description)
                .results()
                .map(found -> found.group(1))
                .filter(name -> fields.containsKey(name) && !name.equals(field.getName()))
                .findFirst();
    }
}
