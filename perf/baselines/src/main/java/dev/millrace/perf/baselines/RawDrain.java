package dev.millrace.perf.baselines;

import dev.millrace.connectors.api.Named;
import dev.millrace.connectors.api.baseline.RawReader;
import dev.millrace.connectors.job.StackJob;

/** The client in a loop, as many threads as the job has subtasks. */
final class RawDrain extends LoopDrain {
    private RawDrain() {}

    static Drain start(StackJob job) {
        RawReader reader = Named.find(RawReader.class, RawReader::name, "raw reader of broker", job.broker());
        RawDrain drain = new RawDrain();
        drain.begin("raw", () -> {
            reader.read(job.brokerOptions(), job.topic(), job.settings().parallelism(), drain.readings);
            return null;
        });
        return drain;
    }
}
