/**
 * What every store must do, as JUnit tests in main sources: a store's module extends {@link
 * dev.millrace.connectors.testkit.store.ResultStoreContract} in a few lines.
 */
package dev.millrace.connectors.testkit.store;
