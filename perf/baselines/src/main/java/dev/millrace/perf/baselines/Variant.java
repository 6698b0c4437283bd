package dev.millrace.perf.baselines;

import dev.millrace.connectors.job.Main;
import dev.millrace.connectors.job.StackJob;

/** The ways to drain a topic. */
enum Variant {
    /** The client's loop: counted and dropped. */
    RAW {
        @Override
        Drain start(StackJob job) {
            return RawDrain.start(job);
        }
    },
    /** The product's reader, decoder and table in a loop, without Flink. */
    PLAIN {
        @Override
        Drain start(StackJob job) {
            return PlainDrain.start(job);
        }
    },
    /** A straightforward job on the official connector. */
    STOCK {
        @Override
        Drain start(StackJob job) throws Exception {
            return JobDrain.start(job, StockJob::build);
        }
    },
    /** A job as the published platform writes it. */
    PUBLISHED {
        @Override
        Drain start(StackJob job) throws Exception {
            return JobDrain.start(job, PublishedJob::build);
        }
    },
    /** The product. */
    OURS {
        @Override
        Drain start(StackJob job) throws Exception {
            return JobDrain.start(job, Main::build);
        }
    };

    /** Begins a pass over the topic; it goes on in threads of its own. */
    abstract Drain start(StackJob job) throws Exception;
}
