package dev.millrace.connectors.api.lint;

import java.util.Optional;

/** What a server says of a setting's values. Thread-safe. */
public interface ValueRule {

    /** Of a setting whose type is not known. */
    ValueRule ANY = new ValueRule() {
        @Override
        public Optional<String> problem(String value) {
            return Optional.empty();
        }

        @Override
        public boolean isDefault(String value) {
            return false;
        }
    };

    /** Why the server does not take the value; it is never empty. Must not repeat a password. */
    Optional<String> problem(String value);

    /** Whether the server does the same without the setting. */
    boolean isDefault(String value);

    /** The same rule, with one more value that asks for nothing, such as that of a shipped file. */
    default ValueRule orDefault(String shipped) {
        ValueRule rule = this;
        return new ValueRule() {
            @Override
            public Optional<String> problem(String value) {
                return rule.problem(value);
            }

            @Override
            public boolean isDefault(String value) {
                return value.equals(shipped) || rule.isDefault(value);
            }
        };
    }
}
