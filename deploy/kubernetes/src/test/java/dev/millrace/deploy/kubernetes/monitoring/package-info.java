/** Alerts and dashboards of the production shape: what they ask for, and when they go off. Their fields are checked in {@code manifest}. */
package dev.millrace.deploy.kubernetes.monitoring;
