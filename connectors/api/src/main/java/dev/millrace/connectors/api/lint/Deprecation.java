package dev.millrace.connectors.api.lint;

import java.util.Optional;

/**
 * That a server still takes a setting, but not for long.
 *
 * @param rightName the setting that took its place, when the server names one
 */
public record Deprecation(Optional<String> rightName) {}
