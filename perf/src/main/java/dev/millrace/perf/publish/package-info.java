/**
 * The generator against the broker's own load tool: same broker, same settings of the client, in turn. The process of ours is in
 * {@code perf/baselines}; what knows a tool is in its broker's {@code baseline} folder.
 */
package dev.millrace.perf.publish;
