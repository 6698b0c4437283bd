/**
 * A stack on this machine: its settings, its run directory, what Flink is told of both. The processes are in {@code part}, what
 * keeps them alive in {@code supervisor}, what brings a stack up, changes and ends it in {@code lifecycle}; what people type and read
 * is in {@code command}. Speaks to brokers and stores by their interfaces only.
 */
package dev.millrace.deploy.local;
