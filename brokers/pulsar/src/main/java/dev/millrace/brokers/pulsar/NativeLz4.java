package dev.millrace.brokers.pulsar;

import dev.millrace.core.reading.ChunkArrays;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.util.Map;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;
import org.apache.pulsar.common.api.proto.CompressionType;
import org.apache.pulsar.common.compression.CompressionCodec;
import org.apache.pulsar.common.compression.CompressionCodecProvider;
import org.apache.pulsar.shade.io.netty.buffer.ByteBuf;
import org.apache.pulsar.shade.io.netty.buffer.UnpooledByteBufAllocator;
import org.apache.pulsar.shade.io.netty.buffer.UnpooledHeapByteBuf;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decompresses LZ4 with native code and into arrays that chunks are made of (adr 0005). The client's own decompressor is of
 * Java, and puts into buffers outside the heap what is then copied into a chunk. Thread-safe.
 */
final class NativeLz4 implements CompressionCodec {
    private static final Logger LOG = LoggerFactory.getLogger(NativeLz4.class);

    private final CompressionCodec clients;
    private final LZ4SafeDecompressor decompressor;

    /** @param clients compresses: only decompressing is on the job's way */
    private NativeLz4(CompressionCodec clients, LZ4SafeDecompressor decompressor) {
        this.clients = clients;
        this.decompressor = decompressor;
    }

    /**
     * Lets every client of this class loader decompress with it from now on. What stands in its way, a machine without native code for
     * one, is logged: then all is as without, as lz4-java's own Java code is slower than the client's.
     */
    static synchronized void install() {
        CompressionCodec now = CompressionCodecProvider.getCompressionCodec(CompressionType.LZ4);
        if (now instanceof NativeLz4) {
            return;
        }
        try {
            Field codecs = CompressionCodecProvider.class.getDeclaredField("codecs");
            codecs.setAccessible(true);
            @SuppressWarnings("unchecked")
            Map<CompressionType, CompressionCodec> all = (Map<CompressionType, CompressionCodec>) codecs.get(null);
            // Not the fastest instance: within a plugin's class loader, which is not the system's, that is one of Java.
            all.put(
                    CompressionType.LZ4,
                    new NativeLz4(now, LZ4Factory.nativeInstance().safeDecompressor()));
        } catch (ReflectiveOperationException | RuntimeException | LinkageError | AssertionError e) {
            LOG.warn("LZ4 is decompressed by the Pulsar client's own code, which is slower: {}", e.toString());
        }
    }

    @Override
    public ByteBuf encode(ByteBuf raw) {
        return clients.encode(raw);
    }

    @Override
    public ByteBuf decode(ByteBuf encoded, int uncompressedLength) throws IOException {
        ByteBuffer packed = encoded.nioBuffer();
        ChunkArrays arrays = EntryArrays.POOL.take(uncompressedLength, 0);
        try {
            int length = decompressor.decompress(
                    packed,
                    packed.position(),
                    packed.remaining(),
                    ByteBuffer.wrap(arrays.bytes()),
                    0,
                    uncompressedLength);
            if (length != uncompressedLength) {
                throw new IOException("an entry says that it has " + uncompressedLength + " bytes, and has " + length);
            }
        } catch (LZ4Exception | IOException e) {
            EntryArrays.POOL.give(arrays);
            throw new IOException("an entry is not the LZ4 that it says: " + e.getMessage(), e);
        }
        return new Entry(arrays, uncompressedLength);
    }

    /** What was decompressed; its arrays go back to the pool with it, unless somebody has taken them. */
    static final class Entry extends UnpooledHeapByteBuf {
        private ChunkArrays arrays;

        private Entry(ChunkArrays arrays, int length) {
            super(UnpooledByteBufAllocator.DEFAULT, arrays.bytes(), arrays.bytes().length);
            this.arrays = arrays;
            writerIndex(length);
        }

        /** Whoever calls this owns the arrays. */
        ChunkArrays takeArrays() {
            ChunkArrays taken = arrays;
            arrays = ChunkArrays.NONE;
            return taken;
        }

        @Override
        protected void freeArray(byte[] array) {
            EntryArrays.POOL.give(takeArrays());
        }
    }
}
