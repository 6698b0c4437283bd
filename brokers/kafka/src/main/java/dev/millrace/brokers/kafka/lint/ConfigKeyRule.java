package dev.millrace.brokers.kafka.lint;

import dev.millrace.connectors.api.lint.ValueRule;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a {@code ConfigDef} says of one key's values: its own parser, its own validator, its own default. */
final class ConfigKeyRule implements ValueRule {
    private final String name;
    private final Object type;
    private final @Nullable Object byDefault;
    private final @Nullable Object validator;
    private final Method parse;
    private final Method validate;

    ConfigKeyRule(Class<?> definition, Object key) throws ReflectiveOperationException {
        ClassLoader loader = definition.getClassLoader();
        name = String.valueOf(ConfigDefSettings.field(key, "name"));
        type = ConfigDefSettings.field(key, "type");
        byDefault = ConfigDefSettings.field(key, "defaultValue");
        validator = ConfigDefSettings.field(key, "validator");
        parse = definition.getMethod(
                "parseType", String.class, Object.class, Class.forName(definition.getName() + "$Type", true, loader));
        validate = Class.forName(definition.getName() + "$Validator", true, loader)
                .getMethod("ensureValid", String.class, Object.class);
    }

    @Override
    public Optional<String> problem(String value) {
        // A class may be one that only the server's own machine has.
        if (type.toString().equals("CLASS")) {
            return Optional.empty();
        }
        try {
            Object parsed = parse.invoke(null, name, value, type);
            if (validator != null) {
                validate.invoke(validator, name, parsed);
            }
            return Optional.empty();
        } catch (InvocationTargetException e) {
            return Optional.of(e.getCause().getMessage());
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public boolean isDefault(String value) {
        if (type.toString().equals("CLASS")) {
            return byDefault instanceof Class<?> byName && byName.getName().equals(value);
        }
        try {
            return Objects.equals(parse.invoke(null, name, value, type), byDefault);
        } catch (InvocationTargetException e) {
            return false;
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }
}
