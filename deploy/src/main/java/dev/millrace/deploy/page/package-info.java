/**
 * The page that a running stack's supervisor serves, with the looks behind it; and the style and scripts that all pages of the
 * house have, benchmark reports too. What a look is lives in {@code look}.
 */
package dev.millrace.deploy.page;
