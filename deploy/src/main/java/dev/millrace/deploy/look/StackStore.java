package dev.millrace.deploy.look;

import dev.millrace.connectors.api.store.ResultStores;
import dev.millrace.connectors.api.store.StoreClient;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.deploy.local.StackSettings;
import dev.millrace.deploy.local.StackState;

/** The way to a stack's store. */
public final class StackStore {
    private StackStore() {}

    /** A connection to the stack's store; one that was never started is an EnvironmentException. */
    public static StoreClient connect(RunDirectory directory) {
        StackState state = directory.state().orElseThrow(() -> notYet(directory));
        StackSettings settings = directory.settings().orElseThrow(() -> notYet(directory));
        if (state.storeOptions().asMap().isEmpty()) {
            throw notYet(directory);
        }
        return ResultStores.named(settings.store()).connect(state.storeOptions());
    }

    private static EnvironmentException notYet(RunDirectory directory) {
        return new EnvironmentException("the store of stack '" + directory.broker()
                + "' is not up yet; 'millrace status' shows how far the stack is");
    }
}
