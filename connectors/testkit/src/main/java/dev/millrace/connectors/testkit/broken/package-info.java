/**
 * Brokers with one fault each, made from any working one: the contract must find every fault by the sentence that forbids it.
 * For tests of the contract only.
 */
package dev.millrace.connectors.testkit.broken;
