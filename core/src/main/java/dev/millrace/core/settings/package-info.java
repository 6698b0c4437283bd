/**
 * Settings as immutable typed values, the one way options are bound and checked, and the failures that a person can
 * mend. No defaults of any broker or store.
 */
package dev.millrace.core.settings;
