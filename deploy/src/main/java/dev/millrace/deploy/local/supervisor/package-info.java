/**
 * The process that keeps the parts of a stack alive, with its page and its answers to the commands; how it is started, and which
 * files and ports it gives the parts.
 */
package dev.millrace.deploy.local.supervisor;
