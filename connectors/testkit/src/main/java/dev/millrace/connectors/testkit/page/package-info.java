/** How tests see pages: a real browser without a window, and a script that looks at a page as a reader would. */
package dev.millrace.connectors.testkit.page;
