/**
 * The memory broker's plugin: a log in memory, served over loopback by a process of its own or inside this one. The benchmark's
 * floor and what every other part is tested with. How readings are kept and served is in {@code log}.
 */
package dev.millrace.brokers.memory;
