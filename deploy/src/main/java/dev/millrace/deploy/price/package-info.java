/**
 * Price files: what an instance costs in an hour, each price with its source and its date. No price is in the code. What follows from
 * them for infrastructure or for a benchmark lives there.
 */
package dev.millrace.deploy.price;
