/**
 * What Maven calls to bring stacks up ({@code mvn -P BROKER deploy}). The command line is in {@code command}, the processes of
 * a stack on this machine are in {@code local}. No broker is named here.
 */
package dev.millrace.deploy;
