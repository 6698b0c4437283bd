package dev.millrace.brokers.pulsar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.connectors.api.reader.ChunkBuilder;
import dev.millrace.core.reading.ChunkArrays;
import dev.millrace.core.reading.PayloadChunk;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jpountz.lz4.LZ4Factory;
import org.apache.pulsar.common.api.proto.CompressionType;
import org.apache.pulsar.common.compression.CompressionCodec;
import org.apache.pulsar.common.compression.CompressionCodecLZ4;
import org.apache.pulsar.common.compression.CompressionCodecProvider;
import org.apache.pulsar.shade.io.netty.buffer.ByteBuf;
import org.apache.pulsar.shade.io.netty.buffer.ByteBufUtil;
import org.apache.pulsar.shade.io.netty.buffer.Unpooled;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

/** What is decompressed was compressed by the client's own code. */
class NativeLz4Test {
    private static final CompressionCodec CLIENTS = new CompressionCodecLZ4();

    private final byte[] bytes = new byte[300_000];

    NativeLz4Test() {
        Random random = new Random(7);
        for (int at = 0; at < bytes.length; at++) {
            // Half of it compresses.
            bytes[at] = at % 200 < 100 ? (byte) random.nextInt() : (byte) at;
        }
    }

    @BeforeAll
    static void install() {
        NativeLz4.install();
        NativeLz4.install();
    }

    private static CompressionCodec installed() {
        return CompressionCodecProvider.getCompressionCodec(CompressionType.LZ4);
    }

    @Test
    void clientsOfThisClientVersionUseIt() {
        assertThat(installed()).isInstanceOf(NativeLz4.class);
        assertThat(CompressionCodecProvider.getCompressionCodec(CompressionType.ZSTD))
                .isNotInstanceOf(NativeLz4.class);
    }

    @Test
    void aPluginsClassLoaderHasNativeCodeToo() throws Exception {
        // Another than the system's, as Flink has for the jars in usrlib.
        List<URL> jars = new ArrayList<>();
        for (Class<?> needed : List.of(
                NativeLz4.class,
                ChunkBuilder.class,
                ChunkArrays.class,
                LZ4Factory.class,
                CompressionCodecProvider.class,
                org.apache.pulsar.client.api.CompressionType.class,
                Logger.class)) {
            jars.add(needed.getProtectionDomain().getCodeSource().getLocation());
        }
        try (URLClassLoader plugins =
                new URLClassLoader(jars.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
            Class<?> type = plugins.loadClass(NativeLz4.class.getName());
            Method install = type.getDeclaredMethod("install");
            install.setAccessible(true);
            install.invoke(null);
            Class<?> codecs = plugins.loadClass(CompressionCodecProvider.class.getName());
            Class<?> kind = plugins.loadClass(CompressionType.class.getName());
            Object codec = codecs.getMethod("getCompressionCodec", kind)
                    .invoke(null, kind.getField("LZ4").get(null));
            assertThat(codec).isInstanceOf(type);
            Field decompressor = type.getDeclaredField("decompressor");
            decompressor.setAccessible(true);
            assertThat(decompressor.get(codec)).asString().contains("JNI");
        }
    }

    @Test
    void whatItDecompressesIsWhatTheClientsOwnDoes() throws IOException {
        for (ByteBuf encoded : new ByteBuf[] {
            CLIENTS.encode(Unpooled.wrappedBuffer(bytes)),
            Unpooled.wrappedBuffer(ByteBufUtil.getBytes(CLIENTS.encode(Unpooled.wrappedBuffer(bytes)))),
            CLIENTS.encode(Unpooled.wrappedBuffer(bytes)).retainedSlice()
        }) {
            ByteBuf own = installed().decode(encoded, bytes.length);
            assertThat(ByteBufUtil.getBytes(own)).isEqualTo(bytes);
            assertThat(ByteBufUtil.getBytes(CLIENTS.decode(encoded, bytes.length)))
                    .isEqualTo(bytes);
            own.release();
        }
        ByteBuf compressed = installed().encode(Unpooled.wrappedBuffer(bytes));
        assertThat(ByteBufUtil.getBytes(CLIENTS.decode(compressed, bytes.length)))
                .isEqualTo(bytes);
    }

    @Test
    void anEntryThatIsNotWhatItSaysIsRefused() {
        ByteBuf encoded = CLIENTS.encode(Unpooled.wrappedBuffer(bytes));
        ByteBuf cut = encoded.slice(0, encoded.readableBytes() / 2);
        ByteBuf other = Unpooled.wrappedBuffer(bytes);
        for (ByteBuf wrong : new ByteBuf[] {cut, other}) {
            assertThatThrownBy(() -> installed().decode(wrong, bytes.length)).isInstanceOf(IOException.class);
        }
        assertThatThrownBy(() -> installed().decode(encoded, bytes.length - 1)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> installed().decode(encoded, bytes.length + 1))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("says that it has 300001 bytes, and has 300000");
    }

    @Test
    void arraysThatAreTakenAreNobodyElsesUntilTheyAreGivenBack() throws IOException {
        ByteBuf encoded = CLIENTS.encode(Unpooled.wrappedBuffer(bytes));
        NativeLz4.Entry taken = (NativeLz4.Entry) installed().decode(encoded, bytes.length);
        ChunkBuilder chunk = new ChunkBuilder(0, 1, EntryArrays.POOL);
        ChunkArrays arrays = taken.takeArrays();
        chunk.span(chunk.adopt(arrays, 0, bytes.length), bytes.length, 1, 2, 3);
        taken.release();
        PayloadChunk built = chunk.build(false);
        NativeLz4.Entry other = (NativeLz4.Entry) installed().decode(encoded, bytes.length);
        assertThat(other.array()).isNotSameAs(built.bytes());
        other.setZero(0, other.capacity());
        assertThat(built.payload(0)).isEqualTo(bytes);
        byte[] free = other.array();
        other.release();
        assertThat(EntryArrays.POOL.take(bytes.length, 0).bytes()).isSameAs(free);
    }
}
