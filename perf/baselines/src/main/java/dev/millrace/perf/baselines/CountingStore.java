package dev.millrace.perf.baselines;

import dev.millrace.connectors.api.store.LocalStore;
import dev.millrace.connectors.api.store.ResultStore;
import dev.millrace.connectors.api.store.StoreBlock;
import dev.millrace.connectors.api.store.StoreClient;
import dev.millrace.connectors.api.store.StoreTable;
import dev.millrace.core.latest.LatestTime;
import dev.millrace.core.settings.Options;
import dev.millrace.core.window.DeadLetter;
import dev.millrace.core.window.DeviceWindow;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/** Counts rows and forgets them: for the pass that only warms up, and where the store must not be what is measured. */
public final class CountingStore implements ResultStore {
    static final String NAME = "counting";
    static final LongAdder WINDOWS = new LongAdder();

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public boolean isEmbedded() {
        return true;
    }

    @Override
    public StoreClient connect(Options options) {
        return new Client();
    }

    @Override
    public LocalStore startLocal(Path workDirectory, Options options) {
        throw new UnsupportedOperationException("the counting store is in the process that uses it");
    }

    private static final class Client implements StoreClient {
        @Override
        public void prepare() {}

        @Override
        public void insert(StoreBlock block) {
            if (block.table() == StoreTable.WINDOWS) {
                WINDOWS.add(block.rows());
            }
        }

        @Override
        public long completeTo() {
            return Long.MIN_VALUE;
        }

        @Override
        public Extent extent() {
            return new Extent(Long.MIN_VALUE, Long.MIN_VALUE, WINDOWS.sum(), 0, 0, Long.MIN_VALUE);
        }

        @Override
        public void windows(long from, long to, Consumer<DeviceWindow> consumer) {
            throw new UnsupportedOperationException("the counting store keeps no rows");
        }

        @Override
        public void latestTimes(Consumer<LatestTime> consumer) {
            throw new UnsupportedOperationException("the counting store keeps no rows");
        }

        @Override
        public void deadLetters(Consumer<DeadLetter> consumer) {
            throw new UnsupportedOperationException("the counting store keeps no rows");
        }

        @Override
        public List<Map<String, Object>> query(String sql) {
            throw new UnsupportedOperationException("the counting store keeps no rows");
        }

        @Override
        public void close() {}
    }
}
