package dev.millrace.deploy.kubernetes.manifest;

import java.util.function.Consumer;

/** What must hold in the production shape. Stateless. */
interface ProductionRule {
    void check(Production production, Consumer<Finding> found);
}
