/** Certificates for tests, made by the JDK's own tool. Never for anything else: they last a day, and their password is known. */
@NullMarked
package dev.millrace.connectors.testkit.tls;

import org.jspecify.annotations.NullMarked;
