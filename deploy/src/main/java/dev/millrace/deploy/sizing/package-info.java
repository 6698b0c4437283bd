/**
 * How large a deployment must be for a rate of readings: rates per core that were measured, the shape of a size, the derivation
 * with its formulas, and the kustomization that says the same to a cluster. Nothing is measured here (that is perf's), no cluster
 * is asked, and what machines cost is in {@code infrastructure} and {@code price}. No broker is named here.
 */
package dev.millrace.deploy.sizing;
