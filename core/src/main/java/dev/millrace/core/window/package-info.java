/**
 * The job: readings in, one row per device and window out. The row, its accumulator, the watermarks and the slices live
 * here, and with them what every job over slices shares; where rows go and where readings come from does not.
 */
package dev.millrace.core.window;
