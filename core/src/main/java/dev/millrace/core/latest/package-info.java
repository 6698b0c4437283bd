/**
 * The second job: when each device last sent each type of event, in state that need not fit memory. What closes slices, what is
 * late and how payloads are decoded is {@code window}'s.
 */
package dev.millrace.core.latest;
