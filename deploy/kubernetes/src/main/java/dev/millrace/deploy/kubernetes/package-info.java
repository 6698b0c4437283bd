/**
 * Stacks on a Kubernetes cluster: what `kubectl kustomize` makes of the manifests is compared, applied and waited for, and the verbs
 * of this machine are run there. What a stack consists of is in the manifests, not here; how its processes are told what to do is in
 * `deploy.pod`.
 */
@NullMarked
package dev.millrace.deploy.kubernetes;

import org.jspecify.annotations.NullMarked;
