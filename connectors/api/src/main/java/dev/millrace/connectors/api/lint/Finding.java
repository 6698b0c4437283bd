package dev.millrace.connectors.api.lint;

import java.util.Optional;

/**
 * What there is to say of one setting in a file.
 *
 * @param line where it begins, from 1
 * @param sentence complete: it names the right form, when there is one
 * @param right the right form: a key, or in words
 */
public record Finding(int line, String key, Verdict verdict, String sentence, Optional<String> right) {}
