/**
 * The production shape: what operators and nodes it needs, its objects in stages, brought up, scaled, shown and ended. Names no broker:
 * what differs between brokers stands in their files.
 */
@NullMarked
package dev.millrace.deploy.kubernetes.production;

import org.jspecify.annotations.NullMarked;
