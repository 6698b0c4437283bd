package dev.millrace.connectors.api.lint;

import java.util.Optional;

/** A setting that exists. */
public record KnownSetting(ValueRule values, Optional<Deprecation> deprecation) {

    /** A setting of which only the name is known. */
    public static KnownSetting named() {
        return new KnownSetting(ValueRule.ANY, Optional.empty());
    }

    /** The same setting, with one more value that asks for nothing. */
    public KnownSetting orDefault(String shipped) {
        return new KnownSetting(values.orDefault(shipped), deprecation);
    }
}
