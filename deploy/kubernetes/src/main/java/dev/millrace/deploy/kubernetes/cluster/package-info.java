/**
 * A cluster, the stacks that are on it, and the objects that a stack owns there: found, compared with what is wanted, changed, waited
 * for. Makes none, and knows nothing of sizes but their names.
 */
@NullMarked
package dev.millrace.deploy.kubernetes.cluster;

import org.jspecify.annotations.NullMarked;
