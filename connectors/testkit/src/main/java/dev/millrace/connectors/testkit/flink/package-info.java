/** The Flink that tests run jobs on, in their own process. */
package dev.millrace.connectors.testkit.flink;
