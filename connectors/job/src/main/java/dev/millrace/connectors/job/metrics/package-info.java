/**
 * Flink's Prometheus reporter, bound to one address, loopback where none is named. The names of metrics stay Flink's own, so that everybody's dashboards fit; no
 * metric is made here.
 */
package dev.millrace.connectors.job.metrics;
