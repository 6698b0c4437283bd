/**
 * What a broker's plugin gives: a source of chunks and a sink for Flink, a client for everything outside Flink, and a
 * real server on this machine. Data are records, behaviour is interfaces. No broker is named here.
 */
package dev.millrace.connectors.api.broker;
