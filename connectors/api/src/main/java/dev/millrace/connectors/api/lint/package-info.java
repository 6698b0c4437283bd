/**
 * Checks of a person's settings file against the settings that a server, a client or Flink knows: the service by which a plugin
 * offers its kinds of files, the lines of a file, and what is found in them. Which keys there are is never written here: each
 * kind reads them from the classes or files of the version in use.
 */
package dev.millrace.connectors.api.lint;
