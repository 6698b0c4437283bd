package dev.millrace.perf.run;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Which of a benchmark's runs one is.
 *
 * @param run from 1
 * @param ends when all runs are expected to be made; null while that is not known
 */
public record Turn(int run, int runs, @Nullable Instant ends) {}
