/**
 * The embedded store: one owner process opens a DuckDB file and serves it over HTTP on 127.0.0.1, in the shape a database
 * server has; the client half knows only HTTP and RowBinary. The two-phase sink that feeds it is not here.
 *
 * <p>Why a process of its own: DuckDB refuses a second process on a file, and a second class loader in one process silently
 * loses rows. Why windows and dead letters have no keys: an index makes inserting slower and keeps DuckDB from using the room of dropped rows
 * again; a block's token, written in the block's transaction, is what makes rows exactly once. To check that:
 * {@code SELECT device_id, window_start, count(*) FROM windows GROUP BY ALL HAVING count(*) > 1} gives no row.
 *
 * <p>Tables: {@code windows} and {@code dead_letters} with the columns of {@link
 * dev.millrace.connectors.api.store.RowColumns} (times in epoch milliseconds), {@code latest_times} (by key, without retention), {@code _commits} (tokens, kept 7 days), {@code
 * _progress} (each writer's watermark), {@code _retention}. Windows are dropped by event time, six hours before the greatest window
 * end unless told otherwise, in the transaction that records how far.
 */
package dev.millrace.connectors.stores.duckdb;
