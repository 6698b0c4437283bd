package dev.millrace.deploy.kubernetes.manifest;

import java.util.function.Consumer;

/** What must hold in a stack. Stateless. */
interface Rule {
    void check(Stack stack, Consumer<Finding> found);
}
