/**
 * What must be there against what is there: the ledger that the generator keeps, its files, and the audit that makes the
 * acknowledged readings again and compares them with the rows of a store or a topic. Plain code that shares nothing with
 * the job's decoder, accumulator or slices, so that an error in one does not excuse the other.
 */
package dev.millrace.core.audit;
