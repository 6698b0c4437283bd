package dev.millrace.deploy.local;

import dev.millrace.connectors.api.broker.Broker;
import dev.millrace.core.settings.Options;
import java.util.OptionalLong;

/** How much memory the processes of a stack may have by their own bounds, which hold without any control group. Starts nothing. */
public final class StackMemory {
    public static final long JOB_MANAGER_HEAP_BYTES = 320L << 20;
    public static final long JOB_MANAGER_METASPACE_BYTES = 160L << 20;
    public static final long GENERATOR_HEAP_BYTES = 512L << 20;
    public static final long SUPERVISOR_HEAP_BYTES = 128L << 20;

    private StackMemory() {}

    /**
     * The sum of the bounds of broker, TaskManager, JobManager, generator and supervisor, in bytes. The store's is left out: it is
     * the same process with the same options beside every broker.
     *
     * @param broker of the stack, loaded
     * @return empty when the broker's bound is not known: its plugin does not say, or a person runs it
     */
    public static OptionalLong bytes(Broker broker, StackSettings settings) {
        OptionalLong ofBroker =
                settings.isForeignBroker() ? OptionalLong.empty() : broker.localMemoryBytes(ofServer(settings));
        return ofBroker.isEmpty()
                ? ofBroker
                : OptionalLong.of(ofBroker.getAsLong()
                        + settings.taskManagerMemoryBytes()
                        + JOB_MANAGER_HEAP_BYTES
                        + JOB_MANAGER_METASPACE_BYTES
                        + GENERATOR_HEAP_BYTES
                        + SUPERVISOR_HEAP_BYTES);
    }

    /** What the plugin gets for its server, but for the port. */
    public static Options ofServer(StackSettings settings) {
        Options server = settings.brokerOptions();
        return settings.values().get("broker-memory").isPresent()
                ? server.with("memory", settings.text("broker-memory"))
                : server;
    }
}
