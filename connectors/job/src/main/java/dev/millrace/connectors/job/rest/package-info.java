/** What may ask Flink's REST interface. What it answers is Flink's, where it listens in deploy. */
@NullMarked
package dev.millrace.connectors.job.rest;

import org.jspecify.annotations.NullMarked;
