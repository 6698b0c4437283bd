package dev.millrace.connectors.job;

import dev.millrace.connectors.api.store.LocalStore;
import dev.millrace.connectors.api.store.ResultStore;
import dev.millrace.connectors.api.store.RowBinary;
import dev.millrace.connectors.api.store.StoreBlock;
import dev.millrace.connectors.api.store.StoreClient;
import dev.millrace.connectors.api.store.StoreTable;
import dev.millrace.core.latest.LatestTime;
import dev.millrace.core.settings.Options;
import dev.millrace.core.window.DeadLetter;
import dev.millrace.core.window.DeviceWindow;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** A store that is a folder: each block is a file with its token as the name, so that a token is taken once. */
public final class FolderStore implements ResultStore {

    @Override
    public String name() {
        return "folder";
    }

    @Override
    public boolean isEmbedded() {
        return true;
    }

    @Override
    public StoreClient connect(Options options) {
        return options.bind("store 'folder'", binder -> new Client(Path.of(binder.required("path", "a folder"))));
    }

    @Override
    public LocalStore startLocal(Path workDirectory, Options options) {
        throw new UnsupportedOperationException();
    }

    private record Client(Path folder) implements StoreClient {
        @Override
        public void prepare() {}

        @Override
        public void insert(StoreBlock block) {
            try {
                Path target = Files.createDirectories(
                                folder.resolve(block.table().sqlName()))
                        .resolve(block.token());
                if (block.rows() > 0 && !Files.exists(target)) {
                    Path draft = Files.createTempFile(folder, "block", ".new");
                    Files.write(draft, block.bytes());
                    Files.move(draft, target, StandardCopyOption.ATOMIC_MOVE);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void windows(long from, long to, Consumer<DeviceWindow> consumer) {
            blocks(StoreTable.WINDOWS, decoder -> {
                for (DeviceWindow row = decoder.nextWindow(); row != null; row = decoder.nextWindow()) {
                    consumer.accept(row);
                }
            });
        }

        @Override
        public void latestTimes(Consumer<LatestTime> consumer) {
            blocks(StoreTable.LATEST_TIMES, decoder -> {
                for (LatestTime row = decoder.nextLatestTime(); row != null; row = decoder.nextLatestTime()) {
                    consumer.accept(row);
                }
            });
        }

        @Override
        public void deadLetters(Consumer<DeadLetter> consumer) {
            blocks(StoreTable.DEAD_LETTERS, decoder -> {
                for (DeadLetter row = decoder.nextDeadLetter(); row != null; row = decoder.nextDeadLetter()) {
                    consumer.accept(row);
                }
            });
        }

        private interface Rows {
            void read(RowBinary.Decoder decoder) throws IOException;
        }

        private void blocks(StoreTable table, Rows rows) {
            Path blocks = folder.resolve(table.sqlName());
            if (!Files.exists(blocks)) {
                return;
            }
            try (Stream<Path> files = Files.list(blocks)) {
                for (Path file : files.toList()) {
                    try (InputStream in = Files.newInputStream(file)) {
                        rows.read(new RowBinary.Decoder(in));
                    }
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public long completeTo() {
            return extent().completeTo();
        }

        @Override
        public Extent extent() {
            long[] windows = new long[1];
            long[] last = {Long.MIN_VALUE};
            windows(Long.MIN_VALUE, Long.MAX_VALUE, row -> {
                windows[0]++;
                last[0] = Math.max(last[0], row.windowEnd());
            });
            return new Extent(last[0], Long.MIN_VALUE, windows[0], 0, 0, last[0]);
        }

        @Override
        public List<Map<String, Object>> query(String sql) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {}
    }
}
