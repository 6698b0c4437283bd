package dev.millrace.perf.baselines;

import dev.millrace.connectors.job.Main;
import dev.millrace.connectors.job.StackJob;
import dev.millrace.core.settings.UserException;
import dev.millrace.core.window.DeviceWindow;
import dev.millrace.core.window.WindowedAggregation;
import java.util.Locale;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

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

        @Override
        DataStream<DeviceWindow> rows(StreamExecutionEnvironment environment, StackJob job) {
            return StockJob.rows(environment, job);
        }
    },
    /** A job as the published platform writes it. */
    PUBLISHED {
        @Override
        Drain start(StackJob job) throws Exception {
            return JobDrain.start(job, PublishedJob::build);
        }

        @Override
        DataStream<DeviceWindow> rows(StreamExecutionEnvironment environment, StackJob job) {
            return PublishedJob.rows(environment, job);
        }
    },
    /** The product. */
    OURS {
        @Override
        Drain start(StackJob job) throws Exception {
            return JobDrain.start(job, Main::build);
        }

        @Override
        DataStream<DeviceWindow> rows(StreamExecutionEnvironment environment, StackJob job) {
            return WindowedAggregation.over(Main.chunks(environment, job), job.settings())
                    .rows();
        }
    };

    /** Begins a pass over the topic; it goes on in threads of its own. */
    abstract Drain start(StackJob job) throws Exception;

    /** The job without a store; a loop is none. */
    DataStream<DeviceWindow> rows(StreamExecutionEnvironment environment, StackJob job) {
        throw new UserException("variant '" + name().toLowerCase(Locale.ROOT) + "' is no Flink job");
    }
}
