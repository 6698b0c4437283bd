/** The contract of {@code connectors/api/baseline}: a baseline that does not read everything exactly once compares with nothing. */
package dev.millrace.connectors.testkit.baseline;
