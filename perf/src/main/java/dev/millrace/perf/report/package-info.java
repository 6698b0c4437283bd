/**
 * A result for people: one HTML page that needs no network, the same in short as Markdown, and tables as CSV. Shows what the result
 * says and computes nothing that a verdict could rest on; markup, style and drawing are resources beside these classes.
 */
package dev.millrace.perf.report;
