/**
 * What of a benchmark runs in a pod, beside the generator: one run of a stack that is up, told in the pod's log. It finds the parts of
 * the stack by their names in the cluster; no word with the cluster itself is spoken here.
 */
@NullMarked
package dev.millrace.perf.pod;

import org.jspecify.annotations.NullMarked;
