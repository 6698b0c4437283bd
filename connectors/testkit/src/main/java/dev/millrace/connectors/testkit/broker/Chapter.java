package dev.millrace.connectors.testkit.broker;

/** What each chapter of the contract works with. */
interface Chapter {
    Bench bench();
}
