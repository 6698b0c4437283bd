/**
 * What runs in a pod before a process of a stack starts there: it waits for what that process needs, and writes its settings, its
 * files and its command line, the same as the supervisor's on one machine. No word with a cluster is spoken here.
 */
@NullMarked
package dev.millrace.deploy.pod;

import org.jspecify.annotations.NullMarked;
