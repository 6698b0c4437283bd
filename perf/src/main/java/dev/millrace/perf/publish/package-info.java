/**
 * The generator, and its publisher alone, against the broker's own load tool: same broker, same settings of the client, in turn. The
 * processes of ours are in {@code perf/baselines}; what knows a tool is in its broker's {@code baseline} folder.
 */
package dev.millrace.perf.publish;
