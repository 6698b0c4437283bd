package dev.millrace.connectors.api.lint;

/**
 * A setting as a file has it.
 *
 * @param line where it begins, from 1
 * @param value without blanks around it; may be empty
 */
public record SettingLine(int line, String key, String value) {}
