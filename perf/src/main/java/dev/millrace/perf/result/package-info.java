/** What a benchmark leaves behind: its runs, what was compared, and the files of them. Not how it is measured, nor how it is shown. */
package dev.millrace.perf.result;
