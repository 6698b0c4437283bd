/**
 * Scenario files: what a benchmark sends, to what, for how long, and what a valid run must keep. The schema beside this package's
 * classes is what editors show and what files are held against. How a scenario is run is not here.
 */
package dev.millrace.perf.scenario;
