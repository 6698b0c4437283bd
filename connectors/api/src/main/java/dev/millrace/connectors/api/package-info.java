/** Discovery of plugins by name. What they must give is in {@code broker} and {@code store}. */
package dev.millrace.connectors.api;
