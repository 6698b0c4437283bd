/**
 * Stacks on a Kubernetes cluster: the verbs of this machine, and which stack on which cluster they mean. What they do is in
 * {@code stack} and {@code production}, what both stand on in {@code cluster}, container images in {@code image}. What a stack consists
 * of is in the manifests, not here; how its processes are told what to do is in {@code deploy.pod}.
 */
@NullMarked
package dev.millrace.deploy.kubernetes;

import org.jspecify.annotations.NullMarked;
