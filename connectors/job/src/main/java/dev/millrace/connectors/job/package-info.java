/**
 * The lines that join source, core and store into one Flink job, and the JobManager process that runs it. What a job computes
 * stands in core, what a broker or a store does in its plugin, and who starts the processes in deploy.
 */
package dev.millrace.connectors.job;
