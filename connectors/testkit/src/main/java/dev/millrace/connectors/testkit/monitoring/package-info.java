/**
 * How tests hold the metrics of alerts and dashboards against what servers that run really show. The alerts themselves are tested where
 * manifests are, not here.
 */
package dev.millrace.connectors.testkit.monitoring;
