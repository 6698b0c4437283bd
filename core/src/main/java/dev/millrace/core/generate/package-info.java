/**
 * The load as pure functions: what reading number i of a stream is, and when it is meant to be sent. Walking, sending
 * and remembering are the generator process's business, no file and no clock is touched here.
 */
package dev.millrace.core.generate;
