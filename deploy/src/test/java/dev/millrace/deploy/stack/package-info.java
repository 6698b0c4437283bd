/** Whole stacks, driven only through {@code deploy/bin/millrace} as a person would, and hurt on purpose. Names no broker. */
package dev.millrace.deploy.stack;
