package dev.millrace.connectors.api.store;

import dev.millrace.core.settings.Options;

/** An embedded store that this JVM serves. */
public interface ServedStore extends AutoCloseable {

    /** How {@link ResultStore#connect} reaches it. */
    Options options();

    /** Lets requests that run come to their end, at most 5 s, and leaves the data. */
    @Override
    void close();
}
