package dev.millrace.brokers.pulsar.lint;

import dev.millrace.connectors.api.lint.ValueRule;
import java.lang.annotation.Annotation;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the broker says of one field's values: its own parser, the bounds beside the field, its initial value. */
final class FieldRule implements ValueRule {
    private final Field field;
    private final @Nullable Object byDefault;
    private final long least;
    private final long greatest;
    private final Method parse;

    FieldRule(ClassLoader loader, Field field, Object configuration, Annotation said)
            throws ReflectiveOperationException {
        this.field = field;
        field.setAccessible(true);
        byDefault = field.get(configuration);
        least = (long) said.annotationType().getMethod("minValue").invoke(said);
        greatest = (long) said.annotationType().getMethod("maxValue").invoke(said);
        parse = loader.loadClass("org.apache.pulsar.common.util.FieldParser")
                .getMethod("value", String.class, Field.class);
    }

    @Override
    public Optional<String> problem(String value) {
        if (isMisread(value)) {
            return Optional.of(
                    "the broker takes every word but true for false, and it is " + value + "; write true or false");
        }
        Object parsed;
        try {
            parsed = parsed(value);
        } catch (IllegalArgumentException e) {
            return Optional.of("its value is no " + field.getType().getSimpleName());
        }
        if (parsed instanceof Number number && (number.longValue() < least || number.longValue() > greatest)) {
            return Optional.of("it must be " + bounds() + " and is " + value);
        }
        return Optional.empty();
    }

    /** The parser refuses no word as a boolean. */
    private boolean isMisread(String value) {
        return (field.getType() == boolean.class || field.getType() == Boolean.class)
                && !value.strip().equalsIgnoreCase("true")
                && !value.strip().equalsIgnoreCase("false");
    }

    private String bounds() {
        boolean below = least != Long.MIN_VALUE;
        boolean above = greatest != Long.MAX_VALUE;
        return (below ? "at least " + least : "")
                + (below && above ? " and " : "")
                + (above ? "at most " + greatest : "");
    }

    @Override
    public boolean isDefault(String value) {
        try {
            return !isMisread(value) && Objects.equals(parsed(value), byDefault);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** @throws IllegalArgumentException when the broker does not take the text */
    private @Nullable Object parsed(String value) {
        try {
            return parse.invoke(null, value, field);
        } catch (InvocationTargetException e) {
            throw new IllegalArgumentException(e.getCause());
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }
}
