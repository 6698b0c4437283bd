/**
 * A stack on this machine: its settings, its run directory, its processes and the supervisor that keeps them alive. Speaks to
 * brokers and stores by their interfaces only; what people type and read is in {@code command}.
 */
package dev.millrace.deploy.local;
