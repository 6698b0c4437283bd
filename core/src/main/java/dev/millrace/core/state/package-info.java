/** Where state lives that does not fit memory: the disk below RocksDB. What the state is, is not here. */
package dev.millrace.core.state;
