package dev.millrace.brokers.kafka.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.connectors.api.reader.ChunkBatch;
import dev.millrace.connectors.api.reader.ChunkPool;
import dev.millrace.core.reading.PayloadChunk;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.errors.CorruptRecordException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.CompressionType;
import org.apache.kafka.common.record.ControlRecordType;
import org.apache.kafka.common.record.EndTransactionMarker;
import org.apache.kafka.common.record.MemoryRecords;
import org.apache.kafka.common.record.MemoryRecordsBuilder;
import org.apache.kafka.common.record.Record;
import org.apache.kafka.common.record.RecordBatch;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.utils.BufferSupplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("A fetch's batches as chunks")
class BatchChunksTest {
    private static final TopicPartition PARTITION = new TopicPartition("readings", 3);
    private static final long NOW = 1_800_000_000_000L;

    /** A record as it comes out, by Kafka's code or by ours. */
    private record Read(long offset, long timestamp, String payload) {
        Read(long offset, long timestamp, byte[] payload) {
            this(offset, timestamp, java.util.HexFormat.of().formatHex(payload));
        }
    }

    static Stream<Arguments> formats() {
        List<Arguments> formats = new ArrayList<>();
        for (CompressionType codec : CompressionType.values()) {
            for (byte magic = 0; magic <= RecordBatch.CURRENT_MAGIC_VALUE; magic++) {
                if (codec != CompressionType.ZSTD || magic == RecordBatch.MAGIC_VALUE_V2) {
                    formats.add(Arguments.of(codec, magic));
                }
            }
        }
        return formats.stream();
    }

    @ParameterizedTest(name = "{0}, format {1}")
    @MethodSource("formats")
    @DisplayName("hold what Kafka's own iterators give: keys, nulls, headers, gaps, both kinds of timestamps")
    void asKafkaReadsThem(CompressionType codec, byte magic) {
        for (long seed = 0; seed < 30; seed++) {
            Random random = new Random(seed);
            MemoryRecords fetched = fetched(random, codec, magic, 1 + random.nextInt(6), 300);
            List<Read> wanted = byKafka(fetched);
            assertThat(byUs(fetched, 0, Long.MAX_VALUE)).as("seed %d", seed).isEqualTo(wanted);

            long first = wanted.get(0).offset();
            long from = first + random.nextInt(200);
            long stop = from + random.nextInt(200);
            assertThat(byUs(fetched, from, stop))
                    .as("seed %d, %d to %d", seed, from, stop)
                    .isEqualTo(wanted.stream()
                            .filter(read -> read.offset() >= from && read.offset() < stop)
                            .toList());
        }
    }

    @Test
    @DisplayName("are not copied when they were not compressed, and no chunk grows without bound")
    void borrowed() {
        MemoryRecords fetched = fetched(new Random(1), CompressionType.NONE, RecordBatch.MAGIC_VALUE_V2, 20, 2_000);
        List<PayloadChunk> chunks =
                all(new BatchChunks(new ChunkPool()).of(PARTITION, polled(fetched, 0), Long.MAX_VALUE));
        assertThat(chunks).hasSizeGreaterThan(1);
        for (PayloadChunk chunk : chunks) {
            assertThat(chunk.bytes()).isSameAs(fetched.buffer().array());
            assertThat(chunk.count()).isBetween(1, 4096);
            assertThat(chunk.partition()).isEqualTo(3);
        }
    }

    @Test
    @DisplayName("go on where the last ones ended, and begin at the log's start offset when nothing else was said")
    void begins() {
        MemoryRecords fetched = fetched(new Random(2), CompressionType.LZ4, RecordBatch.MAGIC_VALUE_V2, 1, 100);
        List<Read> all = byKafka(fetched);
        long middle = all.get(all.size() / 2).offset();
        List<Read> rest = all.stream().filter(read -> read.offset() >= middle).toList();
        BatchChunks chunks = new BatchChunks(new ChunkPool());
        assertThat(reads(chunks.of(PARTITION, polled(fetched, middle), Long.MAX_VALUE)))
                .isEqualTo(rest);
        // The same batch again: all of it was read.
        assertThat(chunks.of(PARTITION, polled(fetched, 0), Long.MAX_VALUE)).isExhausted();
        chunks.begin(PARTITION, middle);
        assertThat(reads(chunks.of(PARTITION, polled(fetched, 0), Long.MAX_VALUE)))
                .isEqualTo(rest);
        chunks.beginOldest(PARTITION);
        assertThat(reads(chunks.of(PARTITION, polled(fetched, 0), Long.MAX_VALUE)))
                .isEqualTo(all);
    }

    @Test
    @DisplayName("are made one after the other, each where the one before has been read")
    void oneByOne() {
        MemoryRecords fetched = fetched(new Random(7), CompressionType.LZ4, RecordBatch.MAGIC_VALUE_V2, 12, 2_000);
        Iterator<PayloadChunk> chunks =
                new BatchChunks(new ChunkPool()).of(PARTITION, polled(fetched, 0), Long.MAX_VALUE);
        ChunkBatch batch = new ChunkBatch().add("3", chunks);
        assertThat(batch.nextSplit()).isEqualTo("3");
        List<Read> reads = new ArrayList<>();
        Set<byte[]> arrays = Collections.newSetFromMap(new IdentityHashMap<>());
        int count = 0;
        for (PayloadChunk chunk = batch.nextRecordFromSplit(); chunk != null; chunk = batch.nextRecordFromSplit()) {
            reads.addAll(reads(List.of(chunk).iterator()));
            arrays.add(chunk.bytes());
            count++;
        }
        assertThat(reads).isEqualTo(byKafka(fetched));
        // It grows while it is filled for the first time.
        assertThat(count).isGreaterThan(5);
        assertThat(arrays).hasSizeLessThan(4);
    }

    @Test
    @DisplayName("leave no trace of a batch none of whose records is wanted, whatever its codec and the next one's")
    void nothingWanted() {
        for (CompressionType first : List.of(CompressionType.NONE, CompressionType.LZ4)) {
            for (CompressionType second : List.of(CompressionType.NONE, CompressionType.LZ4)) {
                ByteBuffer buffer = ByteBuffer.allocate(1 << 20);
                append(buffer, new Random(3), first, RecordBatch.MAGIC_VALUE_V2, 0, 50);
                long from = 1_000;
                append(buffer, new Random(4), second, RecordBatch.MAGIC_VALUE_V2, from, 50);
                buffer.flip();
                byte[] before = buffer.array().clone();
                MemoryRecords fetched = MemoryRecords.readableRecords(buffer);
                assertThat(byUs(fetched, from, Long.MAX_VALUE))
                        .hasSize(50)
                        .isEqualTo(byKafka(fetched).stream()
                                .filter(read -> read.offset() >= from)
                                .toList());
                assertThat(buffer.array()).as("what was fetched").isEqualTo(before);
            }
        }
    }

    @Test
    @DisplayName("are refused when a length leads out of its record, and never reach beyond their batch")
    void damaged() {
        int refused = 0;
        for (long seed = 0; seed < 3_000; seed++) {
            Random random = new Random(seed);
            // Something stands behind the batch in the fetch's array.
            ByteBuffer buffer = ByteBuffer.allocate(8 << 10);
            append(buffer, random, CompressionType.NONE, RecordBatch.MAGIC_VALUE_V2, 0, 1 + random.nextInt(4));
            int end = buffer.position();
            buffer.flip();
            int records = 61;
            for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
                // Half of them where the first record has its lengths.
                int at = records + random.nextInt(random.nextBoolean() ? 9 : end - records);
                buffer.array()[at] = (byte) random.nextInt(256);
            }
            try {
                for (PayloadChunk chunk : all(new BatchChunks(new ChunkPool())
                        .of(PARTITION, polled(MemoryRecords.readableRecords(buffer), 0), Long.MAX_VALUE))) {
                    for (int i = 0; i < chunk.count(); i++) {
                        assertThat(chunk.start(i)).isBetween(records, end);
                        assertThat(chunk.end(i)).isBetween(chunk.start(i), end);
                    }
                }
            } catch (CorruptRecordException e) {
                refused++;
                assertThat(e).hasMessageContaining("of readings-3 cannot be read: ");
            }
        }
        assertThat(refused).isGreaterThan(500);
    }

    @Test
    @DisplayName("have one checksum computed, where Kafka's client asks for that of their format")
    void checksum() {
        for (byte magic : new byte[] {RecordBatch.MAGIC_VALUE_V1, RecordBatch.MAGIC_VALUE_V2}) {
            ByteBuffer buffer = ByteBuffer.allocate(1 << 20);
            append(buffer, new Random(6), CompressionType.LZ4, magic, 0, 20);
            int last = buffer.position() - 1;
            buffer.put(last, (byte) (buffer.get(last) ^ 1));
            buffer.flip();
            RecordBatch batch = new WholeBatches(MemoryRecords.readableRecords(buffer), 0)
                    .batches()
                    .iterator()
                    .next();
            Record whole = batch.iterator().next();
            if (magic == RecordBatch.MAGIC_VALUE_V2) {
                assertThatThrownBy(batch::ensureValid).isInstanceOf(CorruptRecordException.class);
                assertThatCode(whole::ensureValid).as("once more").doesNotThrowAnyException();
            } else {
                assertThatThrownBy(whole::ensureValid).isInstanceOf(CorruptRecordException.class);
            }
        }
    }

    @Test
    @DisplayName("are refused when a batch says that it has more records than it has")
    void tooMany() {
        MemoryRecords fetched = fetched(new Random(5), CompressionType.NONE, RecordBatch.MAGIC_VALUE_V2, 1, 20);
        ByteBuffer buffer = fetched.buffer();
        int count = buffer.getInt(57);
        buffer.putInt(57, count + 1);
        assertThatThrownBy(() -> byUs(MemoryRecords.readableRecords(buffer), 0, Long.MAX_VALUE))
                .isInstanceOf(CorruptRecordException.class);
    }

    private static MemoryRecords fetched(Random random, CompressionType codec, byte magic, int batches, int most) {
        ByteBuffer buffer = ByteBuffer.allocate(16 << 20);
        long offset = random.nextInt(1_000);
        for (int i = 0; i < batches; i++) {
            offset = append(buffer, random, codec, magic, offset, 1 + random.nextInt(most));
            if (magic == RecordBatch.MAGIC_VALUE_V2 && random.nextBoolean()) {
                buffer.put(MemoryRecords.withEndTransactionMarker(
                                offset++, NOW, 0, 7L, (short) 0, new EndTransactionMarker(ControlRecordType.COMMIT, 0))
                        .buffer());
            }
        }
        buffer.flip();
        return MemoryRecords.readableRecords(buffer);
    }

    /** Appends a batch, with gaps as compaction leaves them; returns the offset behind it. */
    private static long append(
            ByteBuffer buffer, Random random, CompressionType codec, byte magic, long firstOffset, int records) {
        boolean appendTime = magic > RecordBatch.MAGIC_VALUE_V0 && random.nextInt(3) == 0;
        MemoryRecordsBuilder builder = new MemoryRecordsBuilder(
                buffer,
                magic,
                Compression.of(codec).build(),
                magic == RecordBatch.MAGIC_VALUE_V0
                        ? TimestampType.NO_TIMESTAMP_TYPE
                        : appendTime ? TimestampType.LOG_APPEND_TIME : TimestampType.CREATE_TIME,
                firstOffset,
                NOW + random.nextInt(1_000),
                RecordBatch.NO_PRODUCER_ID,
                RecordBatch.NO_PRODUCER_EPOCH,
                RecordBatch.NO_SEQUENCE,
                false,
                false,
                0,
                buffer.capacity());
        long offset = firstOffset;
        for (int i = 0; i < records; i++) {
            long timestamp = magic == RecordBatch.MAGIC_VALUE_V0
                    ? RecordBatch.NO_TIMESTAMP
                    : NOW + (random.nextInt(4) == 0 ? random.nextLong() % (1L << 40) : random.nextInt(60_000));
            Header[] headers = new Header[magic == RecordBatch.MAGIC_VALUE_V2 ? random.nextInt(3) : 0];
            for (int h = 0; h < headers.length; h++) {
                headers[h] = new RecordHeader("h" + h, bytes(random, 200));
            }
            builder.appendWithOffset(offset, timestamp, bytes(random, 100), bytes(random, 400), headers);
            offset += 1 + (random.nextInt(10) == 0 ? random.nextInt(300) : 0);
        }
        builder.build();
        return offset;
    }

    private static byte[] bytes(Random random, int most) {
        if (random.nextInt(12) == 0) {
            return null;
        }
        byte[] bytes = new byte[random.nextInt(most)];
        random.nextBytes(bytes);
        return bytes;
    }

    private static List<Read> byKafka(MemoryRecords fetched) {
        List<Read> reads = new ArrayList<>();
        for (RecordBatch batch : fetched.batches()) {
            if (!batch.isControlBatch()) {
                for (Record record : batch) {
                    byte[] payload = new byte[Math.max(0, record.valueSize())];
                    if (record.hasValue()) {
                        record.value().get(payload);
                    }
                    reads.add(new Read(record.offset(), record.timestamp(), payload));
                }
            }
        }
        return reads;
    }

    private static List<Read> byUs(MemoryRecords fetched, long from, long stop) {
        BatchChunks chunks = new BatchChunks(new ChunkPool());
        chunks.begin(PARTITION, from);
        return reads(chunks.of(PARTITION, polled(fetched, 0), stop));
    }

    private static List<PayloadChunk> all(Iterator<PayloadChunk> chunks) {
        List<PayloadChunk> all = new ArrayList<>();
        chunks.forEachRemaining(all::add);
        return all;
    }

    private static List<Read> reads(Iterator<PayloadChunk> chunks) {
        List<Read> reads = new ArrayList<>();
        for (PayloadChunk chunk : all(chunks)) {
            for (int i = 0; i < chunk.count(); i++) {
                reads.add(new Read(chunk.position(i).minor(), chunk.brokerTimestamp(i), chunk.payload(i)));
            }
        }
        return reads;
    }

    /** What the consumer makes of a fetch: a record for each batch, none for those that control transactions. */
    private static ConsumerRecords<?, ?> polled(MemoryRecords fetched, long logStartOffset) {
        List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
        for (RecordBatch batch : new WholeBatches(fetched, logStartOffset).batches()) {
            if (!batch.isControlBatch()) {
                Record record =
                        batch.streamingIterator(BufferSupplier.NO_CACHING).next();
                ConsumerRecord<byte[], byte[]> polled =
                        new ConsumerRecord<>(PARTITION.topic(), PARTITION.partition(), record.offset(), null, null);
                new RecordHeaders(record.headers()).forEach(polled.headers()::add);
                records.add(polled);
            }
        }
        return new ConsumerRecords<>(Map.of(PARTITION, records));
    }
}
