package dev.millrace.core.audit;

import dev.millrace.core.latest.LatestTime;
import dev.millrace.core.settings.EnvironmentException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Rows of latest times that wait in a file until they are asked for once, in the order in which they came. The file has no name once it
 * is open, so that however the process ends none is left; without rows there is none. Not thread-safe.
 */
final class WaitingRows {
    private static final int ROW_BYTES = Integer.BYTES + 3 * Long.BYTES;

    private final Path folder;
    private final ByteBuffer buffer = ByteBuffer.allocate(4096 * ROW_BYTES);
    private @Nullable FileChannel file;

    /** Takes a row. */
    interface Taker {
        void row(int pair, long latest, long readings, long asOf);
    }

    WaitingRows(Path folder) {
        this.folder = folder;
    }

    /** @param pair the number of its device and type */
    void add(int pair, LatestTime row) {
        try {
            if (file == null) {
                file = open();
            }
            buffer.putInt(pair).putLong(row.latest()).putLong(row.readings()).putLong(row.asOf());
            if (!buffer.hasRemaining()) {
                write(file);
            }
        } catch (IOException e) {
            throw failure(e);
        }
    }

    private FileChannel open() throws IOException {
        Path path = Files.createTempFile(folder, "audit-rows", "");
        FileChannel opened = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
        Files.delete(path);
        return opened;
    }

    private void write(FileChannel to) throws IOException {
        buffer.flip();
        while (buffer.hasRemaining()) {
            to.write(buffer);
        }
        buffer.clear();
    }

    /** Gives all of them, and lets go of the file. */
    void forEach(Taker taker) {
        if (file == null) {
            return;
        }
        try (FileChannel rows = file) {
            write(rows);
            rows.position(0);
            boolean more = true;
            while (more) {
                more = rows.read(buffer) >= 0;
                buffer.flip();
                while (buffer.remaining() >= ROW_BYTES) {
                    taker.row(buffer.getInt(), buffer.getLong(), buffer.getLong(), buffer.getLong());
                }
                buffer.compact();
            }
        } catch (IOException e) {
            throw failure(e);
        }
    }

    private EnvironmentException failure(IOException e) {
        return new EnvironmentException(
                "rows that are to be audited cannot wait in a file in " + folder + " (" + e
                        + "); free some disk, or mend the folder's rights",
                e);
    }
}
