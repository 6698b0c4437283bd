/**
 * A stack of plain pods on a cluster: its manifests, secrets and images, what is looked at before it starts, how it starts, what it
 * shows and how it ends. What a production shape shares with it lives here too, the shape itself in {@code production}.
 */
@NullMarked
package dev.millrace.deploy.kubernetes.stack;

import org.jspecify.annotations.NullMarked;
