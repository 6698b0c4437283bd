/**
 * The {@code millrace} command: what people type, what they read, and the one place that turns failures into a sentence and an
 * exit code. Sub-commands are found by {@link java.util.ServiceLoader}; what a stack does is in {@code local}.
 */
package dev.millrace.deploy.command;
