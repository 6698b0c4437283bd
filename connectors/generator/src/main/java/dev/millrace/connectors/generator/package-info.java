/**
 * The generator's process: sends the readings that core makes when the schedule says so, writes the ledger, and after a
 * crash reads the topic back and goes on. What a reading is, when it is due and how it is audited is core's; how it
 * travels is the broker's plugin's.
 */
package dev.millrace.connectors.generator;
