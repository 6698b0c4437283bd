/**
 * Servers on this machine: a child process with its pid file, its log, its signals and its port, and a server's life from
 * start to restart. What plugins and the launcher share so that none writes it again.
 */
package dev.millrace.connectors.api.local;
