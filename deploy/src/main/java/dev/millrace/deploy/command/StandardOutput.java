package dev.millrace.deploy.command;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** This process's standard output, which keeps in mind why it could not be written: a {@link PrintStream} forgets. Thread-safe. */
final class StandardOutput extends OutputStream {
    private static final Path OPENED = Path.of("/dev/fd/1");
    /** Which bits of a file's mode say what kind of file it is, and two of these, as stat(2) has them. */
    private static final int KIND = 0170000;

    private static final int PIPE = 0010000;
    private static final int SOCKET = 0140000;

    private final OutputStream out = new FileOutputStream(FileDescriptor.out);
    private volatile @Nullable IOException failure;

    private StandardOutput() {}

    /** Makes it {@link System#out}. */
    static StandardOutput take() {
        StandardOutput output = new StandardOutput();
        System.setOut(new PrintStream(output, true));
        return output;
    }

    @Override
    public void write(int one) throws IOException {
        write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        try {
            out.write(bytes, offset, length);
        } catch (IOException e) {
            failure = e;
            throw e;
        }
    }

    /** Why something that was written is lost; empty also where its reader has gone, as {@code head} does: it wanted no more. */
    Optional<String> lost() {
        // By the kind of file: how the system words that a reader has gone depends on the locale, and pipes fail for
        // nothing else.
        return Optional.ofNullable(failure).filter(lost -> !hasReader()).map(IOException::getMessage);
    }

    private static boolean hasReader() {
        try {
            int kind = (Integer) Files.getAttribute(OPENED, "unix:mode") & KIND;
            return kind == PIPE || kind == SOCKET;
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            return false;
        }
    }
}
