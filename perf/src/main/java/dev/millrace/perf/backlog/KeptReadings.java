package dev.millrace.perf.backlog;

import dev.millrace.connectors.api.broker.Broker;
import dev.millrace.connectors.api.broker.Capability;
import dev.millrace.core.settings.Values;
import dev.millrace.deploy.local.StackMemory;
import dev.millrace.deploy.local.StackSettings;
import java.util.Optional;
import java.util.OptionalLong;

/** Whether a broker that has no disk has room for the whole backlog. */
final class KeptReadings {
    private KeptReadings() {}

    /** Why a server with these settings cannot keep what they ask for; empty where it can, or only the server knows. */
    static Optional<String> refusal(Broker broker, StackSettings settings) {
        boolean onDisk = broker.capabilities().contains(Capability.SURVIVES_KILL);
        OptionalLong memory = onDisk || settings.isForeignBroker()
                ? OptionalLong.empty()
                : broker.localMemoryBytes(StackMemory.ofServer(settings));
        long kept = settings.retentionBytes();
        if (memory.isEmpty() || kept <= memory.getAsLong()) {
            return Optional.empty();
        }
        // Half as much again is room for what a process needs beside the readings.
        long enough = (kept / 2 * 3 >> 30) + 1;
        return Optional.of("broker '" + broker.name() + "' keeps readings in its process only, which may have "
                + Values.text(memory.getAsLong()) + ", and the backlog may come to " + Values.text(kept)
                + " (--up retention-bytes); name fewer --readings, or --up broker-memory=" + enough + "GiB");
    }
}
