/** TLS as PEM files have it: whom a process trusts, and who it is. What uses them is elsewhere. */
@NullMarked
package dev.millrace.core.tls;

import org.jspecify.annotations.NullMarked;
