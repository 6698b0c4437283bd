/** The commands that perf adds to {@code millrace}. What each measures lives in its own package; no broker is named here. */
package dev.millrace.perf;
