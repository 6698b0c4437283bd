package dev.millrace.brokers.pulsar.lint;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Names of settings in the servers' classes. */
final class SettingNames {
    /** Not numbers, addresses, names of metrics, or values. */
    private static final Pattern KEY = Pattern.compile("[a-z][A-Za-z0-9_]*[A-Z_][A-Za-z0-9_]*");

    private SettingNames() {}

    /** Those that classes hold in constants. */
    static Set<String> constants(ClassLoader loader, List<String> classes) throws ReflectiveOperationException {
        Set<String> names = new TreeSet<>();
        for (String type : classes) {
            for (Field field : loader.loadClass(type).getDeclaredFields()) {
                if (Modifier.isStatic(field.getModifiers()) && field.getType() == String.class) {
                    field.setAccessible(true);
                    String name = String.valueOf(field.get(null));
                    if (KEY.matcher(name).matches()) {
                        names.add(name);
                    }
                }
            }
        }
        return names;
    }

    /** Those of the fields that a class fills by their names. */
    static Set<String> fields(ClassLoader loader, String type) throws ReflectiveOperationException {
        return Arrays.stream(loader.loadClass(type).getDeclaredFields())
                .filter(field -> !Modifier.isStatic(field.getModifiers()))
                .map(Field::getName)
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
