/**
 * What is put into each process of a stack that is measured on a cluster, as an agent of Java's: a jar of its own, made of this package
 * alone, so nothing of the house may be imported here.
 */
@NullMarked
package dev.millrace.perf.agent;

import org.jspecify.annotations.NullMarked;
