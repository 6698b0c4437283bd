/** What threads share on hot paths. No locks, queues or pools: the JDK has them. */
package dev.millrace.core.concurrent;
