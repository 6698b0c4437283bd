package dev.millrace.brokers.pulsar.baseline.official;

import dev.millrace.brokers.pulsar.PulsarOptions;
import dev.millrace.connectors.api.broker.Broker;
import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.connectors.api.broker.Capability;
import dev.millrace.connectors.api.broker.LocalBroker;
import dev.millrace.connectors.api.broker.SinkSpec;
import dev.millrace.connectors.api.broker.SourceSpec;
import dev.millrace.connectors.api.reader.ChunkBuilder;
import dev.millrace.core.reading.PayloadChunk;
import dev.millrace.core.settings.Options;
import dev.millrace.core.window.WindowTypes;
import java.nio.file.Path;
import java.util.Set;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.connector.pulsar.source.reader.deserializer.PulsarDeserializationSchema;
import org.apache.flink.util.Collector;
import org.apache.pulsar.client.api.Message;

/** Our plugin with the official connector's source in place of its own: each message is a chunk of one. */
final class OfficialPulsar implements Broker {
    private final Broker plugin = PluginFolder.load();

    @Override
    public String name() {
        return plugin.name();
    }

    @Override
    public Set<Capability> capabilities() {
        return plugin.capabilities();
    }

    @Override
    public Source<PayloadChunk, ?, ?> source(Options options, SourceSpec spec) {
        return OfficialPulsarSource.builder(PulsarOptions.bind(options), spec)
                .setDeserializationSchema(new OneReading())
                .build();
    }

    @Override
    public <T> Sink<T> sink(Options options, SinkSpec<T> spec) {
        return plugin.sink(options, spec);
    }

    @Override
    public BrokerClient connect(Options options) {
        return plugin.connect(options);
    }

    @Override
    public LocalBroker startLocal(Path workDirectory, Options options) {
        return plugin.startLocal(workDirectory, options);
    }

    private static final class OneReading implements PulsarDeserializationSchema<PayloadChunk> {
        @Override
        public void deserialize(Message<byte[]> message, Collector<PayloadChunk> out) {
            byte[] payload = message.getValue();
            String topic = message.getTopicName();
            ChunkBuilder chunk =
                    new ChunkBuilder(Integer.parseInt(topic.substring(topic.lastIndexOf('-') + 1)), payload.length);
            chunk.add(payload, 0, payload.length, message.getPublishTime(), 0, message.getSequenceId());
            out.collect(chunk.build(false));
        }

        @Override
        public TypeInformation<PayloadChunk> getProducedType() {
            return WindowTypes.PAYLOAD_CHUNK;
        }
    }
}
