package dev.millrace.deploy.local.part;

import dev.millrace.connectors.api.store.ResultStore;
import dev.millrace.core.settings.Options;
import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.deploy.local.StackSettings;

/** The store with the stack's tables: a process of the stack's own, or a server that a person runs. */
public interface StorePart extends Part {

    static StorePart of(ResultStore store, StackSettings settings, RunDirectory directory) {
        return settings.isForeignStore()
                ? new ForeignStorePart(store, settings)
                : new LocalStorePart(store, settings, directory);
    }

    /** How clients reach it, the job among them; empty until it was started. */
    Options options();

    /** Drops every row, before the store is started. */
    void dropRows();
}
