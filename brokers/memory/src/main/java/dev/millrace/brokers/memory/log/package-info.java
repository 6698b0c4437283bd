/** The server's half: topics as blocks of bytes, retention, and the sessions that serve them. Knows no Flink and no client. */
package dev.millrace.brokers.memory.log;
