/**
 * Benchmarks on a cluster: stacks of brokers in turn on the same nodes, each measured from within by a pod beside its generator. What
 * is measured and how is {@code perf}'s; how a stack comes up is {@code deploy/kubernetes}'s.
 */
@NullMarked
package dev.millrace.perf.kubernetes;

import org.jspecify.annotations.NullMarked;
