/**
 * What benchmarks compare a plugin with: other ways to read or to fill the same topic, each on a class path of its own, none of
 * them part of the product. A broker's folder implements them in its {@code baseline} module; no stack ever loads one.
 */
package dev.millrace.connectors.api.baseline;
