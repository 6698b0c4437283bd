/**
 * The production store: a ClickHouse server that a person runs, spoken to by its official client over HTTP. The two-phase sink
 * that feeds it is not here; nothing of Flink is.
 *
 * <p>Exactly once: a block is sent with the token it was cut with, and a table whose {@code
 * non_replicated_deduplication_window} (Replicated: {@code replicated_deduplication_window}) is above 0 takes a token once.
 * Where it is 0, ClickHouse ignores tokens without a word, so such a table is refused. Below that lies the second net: {@code
 * ReplacingMergeTree(readings)} ordered by device and window start, read with FINAL.
 *
 * <p>Tables: {@code windows} and {@code dead_letters} with the columns of {@link
 * dev.millrace.connectors.api.store.RowColumns} (times in epoch milliseconds), {@code latest_times} (the newest row of each key wins), {@code progress} (each writer's watermark), and the
 * views of {@link dev.millrace.connectors.api.store.StoreView}.
 */
package dev.millrace.connectors.stores.clickhouse;
