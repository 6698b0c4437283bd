/** How a process ends, and what processes on one machine agree upon. What threads share is {@code core.concurrent} and the JDK's. */
package dev.millrace.core.process;
