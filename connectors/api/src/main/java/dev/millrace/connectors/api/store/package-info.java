/**
 * Where windows go: what a store gives, the rows as bytes, and the one exactly-once sink that serves every store.
 */
package dev.millrace.connectors.api.store;
