package dev.millrace.deploy.lint;

import dev.millrace.connectors.api.lint.Deprecation;
import dev.millrace.connectors.api.lint.KnownSetting;
import dev.millrace.connectors.api.lint.ValueRule;
import dev.millrace.core.settings.EnvironmentException;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ConfigurationUtils;
import org.apache.flink.configuration.FallbackKey;

/**
 * The options of Flink: the constants of its classes of options.
 *
 * @param openPrefixes of options that are maps, of reporters that a person names, and of parts that are in jars of their own
 */
record FlinkOptions(Map<String, KnownSetting> settings, List<String> openPrefixes) {
    private static final Pattern CLASSES = Pattern.compile("org/apache/flink/(?!shaded/).*(Options|Constants)\\.class");

    private static final List<String> ELSEWHERE = List.of(
            // Named by a person.
            "metrics.reporter.",
            "traces.reporter.",
            "external-resource.",
            "security.delegation.token.provider.",
            "containerized.",
            "flink.hadoop.",
            "flink.yarn.",
            // Read by Flink's scripts alone.
            "env.java.home",
            // Read by Flink's operator for Kubernetes.
            "job.autoscaler.",
            // In jars that the job does not need.
            "azure.",
            "dstl.",
            "fs.",
            "gs.",
            "high-availability.kubernetes.",
            "kubernetes.",
            "oss.",
            "python.",
            "s3.",
            "sql-client.",
            "sql-gateway.",
            "table.",
            "yarn.");

    /**
     * The options in the jars whose name begins with {@code flink-}.
     *
     * @throws EnvironmentException when a jar cannot be read
     */
    static FlinkOptions of(List<Path> jars) {
        List<Declared> all = new ArrayList<>();
        try {
            // Not closed: what is read is used for as long as the answer is.
            ClassLoader loader = new URLClassLoader(urls(jars), FlinkOptions.class.getClassLoader());
            for (Path jar : jars) {
                if (jar.getFileName().toString().startsWith("flink-")) {
                    addAll(all, jar, loader);
                }
            }
        } catch (IOException | ReflectiveOperationException | LinkageError e) {
            throw new EnvironmentException("cannot read Flink's options from its jars: " + e, e);
        }
        return of(all, new ArrayList<>(ELSEWHERE));
    }

    /** An option as a class declares it; the same may be declared twice, an old one and the one that counts. */
    private record Declared(ConfigOption<?> option, boolean deprecated) {}

    private static URL[] urls(List<Path> jars) throws IOException {
        URL[] urls = new URL[jars.size()];
        for (int i = 0; i < urls.length; i++) {
            urls[i] = jars.get(i).toUri().toURL();
        }
        return urls;
    }

    private static void addAll(List<Declared> all, Path jar, ClassLoader loader)
            throws IOException, ReflectiveOperationException {
        List<String> names;
        try (JarFile file = new JarFile(jar.toFile())) {
            names = file.stream()
                    .map(entry -> entry.getName())
                    .filter(name -> CLASSES.matcher(name).matches())
                    .map(name -> name.substring(0, name.lastIndexOf('.')).replace('/', '.'))
                    .toList();
        }
        for (String name : names) {
            for (Field field : Class.forName(name, true, loader).getDeclaredFields()) {
                if (Modifier.isStatic(field.getModifiers())
                        && Modifier.isPublic(field.getModifiers())
                        && field.getType() == ConfigOption.class) {
                    field.setAccessible(true);
                    all.add(new Declared(
                            (ConfigOption<?>) field.get(null), field.isAnnotationPresent(Deprecated.class)));
                }
            }
        }
    }

    private static FlinkOptions of(List<Declared> all, List<String> open) {
        Map<String, KnownSetting> settings = new TreeMap<>();
        for (Declared declared : all) {
            ConfigOption<?> option = declared.option();
            if (isRelative(option.key())) {
                continue;
            }
            KnownSetting setting = new KnownSetting(
                    new OptionRule(option),
                    declared.deprecated() ? Optional.of(new Deprecation(Optional.empty())) : Optional.empty());
            settings.merge(
                    option.key(), setting, (one, other) -> one.deprecation().isPresent() ? other : one);
            if (ConfigurationUtils.canBePrefixMap(option)) {
                open.add(option.key() + ".");
            }
        }
        // After all options, because an old name may be an option still.
        for (Declared declared : all) {
            for (FallbackKey key : declared.option().fallbackKeys()) {
                addOldName(settings, declared.option(), key);
            }
        }
        return new FlinkOptions(settings, open);
    }

    /** Of a reporter or a listener: there a person's own name stands before it. Flink's own have a dot or a hyphen. */
    private static boolean isRelative(String key) {
        return !key.contains(".") && !key.contains("-");
    }

    private static void addOldName(Map<String, KnownSetting> settings, ConfigOption<?> option, FallbackKey key) {
        if (key.getKey().equals(option.key()) || isRelative(option.key())) {
            return;
        }
        if (key.isDeprecated()) {
            settings.put(
                    key.getKey(),
                    new KnownSetting(new OptionRule(option), Optional.of(new Deprecation(Optional.of(option.key())))));
        } else {
            settings.putIfAbsent(key.getKey(), new KnownSetting(new OptionRule(option), Optional.empty()));
        }
    }

    /** Flink's own conversion of values. */
    private record OptionRule(ConfigOption<?> option) implements ValueRule {
        @Override
        public Optional<String> problem(String value) {
            try {
                converted(value);
                return Optional.empty();
            } catch (IllegalArgumentException e) {
                return Optional.of(String.valueOf(e.getMessage()).replaceFirst("\\.$", ""));
            }
        }

        @Override
        public boolean isDefault(String value) {
            try {
                return Objects.equals(converted(value), option.defaultValue());
            } catch (IllegalArgumentException e) {
                return false;
            }
        }

        private Object converted(String value) {
            Configuration configuration = new Configuration();
            configuration.setString(option.key(), value);
            return configuration.get(option);
        }
    }
}
