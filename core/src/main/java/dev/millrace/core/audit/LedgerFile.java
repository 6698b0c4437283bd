package dev.millrace.core.audit;

import dev.millrace.core.generate.GeneratorSettings;
import dev.millrace.core.generate.Schedule;
import dev.millrace.core.process.ProcessLock;
import dev.millrace.core.reading.Position;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.UserException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * The ledger's files, for the one process that writes them: {@code schedule.log}, to which segments are appended before
 * they are used, and {@code acknowledged}, which is replaced as a whole. Every line carries its checksum. A SIGKILL at any
 * moment leaves at worst a half line at the end of the log, which nothing was built on; nothing is forced to disk, so
 * a power cut may damage more, and that is said.
 *
 * <p>Thread-safe.
 */
public final class LedgerFile implements AutoCloseable {
    private static final String HEADER = "millrace-ledger 1";
    private static final int HEADER_LINES = 2;
    /** In the line of settings, before those that tell of other generators. */
    private static final int OWN_SETTINGS = 8;

    private static final String SCHEDULE = "schedule.log";
    private static final String ACKNOWLEDGED = "acknowledged";

    private final Path directory;
    private final ProcessLock lock;
    private final FileChannel log;

    private LedgerFile(Path directory, ProcessLock lock, FileChannel log) {
        this.directory = directory;
        this.lock = lock;
        this.log = log;
    }

    /** Whether a generator has begun a ledger there. */
    public static boolean exists(Path directory) {
        return Files.exists(directory.resolve(SCHEDULE));
    }

    /** Begins a ledger, or goes on with the one that is there; the settings must be the same. */
    public static LedgerFile open(Path directory, GeneratorSettings settings) {
        try {
            Files.createDirectories(directory);
            ProcessLock lock = ProcessLock.take(
                    directory.resolve("lock"),
                    "another generator is writing the ledger in " + directory + "; stop it or name another directory");
            Path path = directory.resolve(SCHEDULE);
            if (!Files.exists(path)) {
                replace(path, List.of(HEADER, settingsLine(settings)));
            }
            Lines lines = Lines.read(path);
            GeneratorSettings before = settings(lines.lines, path);
            if (!before.equals(settings) && lines.lines.size() == HEADER_LINES) {
                replace(path, List.of(HEADER, settingsLine(settings))); // nothing was sent by the old ones
                lines = Lines.read(path);
            } else if (!before.equals(settings)) {
                lock.close();
                throw new UserException("the ledger in " + directory + " was begun with other settings: "
                        + settingsLine(before) + ", now " + settingsLine(settings)
                        + "; take the data down first or name another directory");
            }
            FileChannel log = FileChannel.open(path, StandardOpenOption.WRITE);
            log.truncate(lines.goodBytes);
            log.position(lines.goodBytes);
            return new LedgerFile(directory, lock, log);
        } catch (IOException e) {
            throw failed(directory, e);
        }
    }

    /** Must be called before any reading of the segment is handed to a client. */
    public synchronized void append(Schedule.Segment segment) {
        ByteBuffer line = ByteBuffer.wrap(sealed("segment " + segment.firstIndex() + " " + segment.firstTimeMicros()
                        + " " + segment.readingsPerSecond())
                .getBytes(StandardCharsets.UTF_8));
        long before = -1;
        try {
            before = log.size();
            while (line.hasRemaining()) {
                log.write(line);
            }
        } catch (IOException e) {
            cutBackTo(before, e);
            throw failed(directory, e);
        }
    }

    /** A half line would hide all that come after it; where it cannot be cut off, whoever opens the ledger next does it. */
    private void cutBackTo(long size, IOException because) {
        try {
            if (size >= 0) {
                log.truncate(size);
            }
        } catch (IOException e) {
            because.addSuppressed(e);
        }
    }

    /** Replaces what is known of the acknowledged readings; settings and schedule of {@code ledger} are not written. */
    public synchronized void snapshot(Ledger ledger) {
        List<String> lines = new ArrayList<>();
        lines.add(HEADER);
        lines.add("state " + ledger.state());
        lines.add("written " + ledger.writtenMillis());
        lines.add("offered " + ledger.offeredTo());
        ledger.readBackFrom().forEach((partition, position) -> lines.add("position " + partition + " " + position));
        IndexRanges ranges = ledger.acknowledged();
        for (int i = 0; i < ranges.size(); i++) {
            lines.add("range " + ranges.from(i) + " " + ranges.to(i));
        }
        lines.add("end");
        try {
            replace(directory.resolve(ACKNOWLEDGED), lines);
        } catch (IOException e) {
            throw failed(directory, e);
        }
    }

    /** Reads what is there; safe while another process writes. */
    public static Ledger read(Path directory) {
        if (!exists(directory)) {
            throw new UserException(
                    "there is no ledger in " + directory + "; a generator that has been started has written one");
        }
        try {
            // In this order: the schedule on disk is never behind a snapshot that was there before it was read.
            Snapshot snapshot = snapshot(directory.resolve(ACKNOWLEDGED));
            Path path = directory.resolve(SCHEDULE);
            Lines lines = Lines.read(path);
            // First: of a damaged file it says so.
            GeneratorSettings settings = settings(lines.lines, path);
            Schedule schedule = new Schedule();
            for (String line : lines.lines.subList(HEADER_LINES, lines.lines.size())) {
                String[] words = line.split(" ");
                schedule.append(new Schedule.Segment(
                        Long.parseLong(words[1]), Long.parseLong(words[2]), Long.parseLong(words[3])));
            }
            return new Ledger(
                    settings,
                    schedule,
                    snapshot.state,
                    snapshot.writtenMillis,
                    snapshot.offeredTo,
                    snapshot.acknowledged,
                    snapshot.readBackFrom);
        } catch (IOException e) {
            throw failed(directory, e);
        }
    }

    @Override
    public synchronized void close() {
        try {
            log.close();
            lock.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void replace(Path path, List<String> lines) throws IOException {
        StringBuilder text = new StringBuilder(lines.size() * 40);
        lines.forEach(line -> text.append(sealed(line)));
        Path fresh = path.resolveSibling(path.getFileName() + ".new");
        Files.writeString(fresh, text);
        Files.move(fresh, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static EnvironmentException failed(Path directory, IOException e) {
        return new EnvironmentException(
                "the ledger in " + directory + " cannot be read or written: " + e
                        + "; mend the directory (rights, free space) and start again",
                e);
    }

    private static EnvironmentException damaged(Path path) {
        return new EnvironmentException(
                "the ledger's file " + path
                        + " is damaged, as by a power cut; what was sent can no longer be proved: take the data down and start anew");
    }

    private static String settingsLine(GeneratorSettings s) {
        // A ledger of the only generator looks as it did before there could be several.
        String others = s.hasOthers() ? " first-device=" + s.firstDevice() + " all-devices=" + s.allDevices() : "";
        return "seed=" + s.seed() + " devices=" + s.devices() + " zipf=" + s.zipfExponent() + " payload-bytes="
                + s.payloadBytes() + " payload-entropy=" + s.payloadEntropy() + " out-of-order-share="
                + s.outOfOrderShare() + " late-share=" + s.lateShare() + " out-of-orderness-ms="
                + s.outOfOrdernessMillis() + others;
    }

    private static GeneratorSettings settings(List<String> lines, Path path) {
        if (lines.size() < HEADER_LINES || !lines.get(0).equals(HEADER)) {
            throw damaged(path);
        }
        String[] values = lines.get(1).replaceAll("[a-z-]+=", "").split(" ");
        int devices = Integer.parseInt(values[1]);
        boolean hasOthers = values.length > OWN_SETTINGS;
        return new GeneratorSettings(
                Long.parseLong(values[0]),
                devices,
                hasOthers ? Integer.parseInt(values[OWN_SETTINGS]) : 0,
                hasOthers ? Integer.parseInt(values[OWN_SETTINGS + 1]) : devices,
                Double.parseDouble(values[2]),
                Integer.parseInt(values[3]),
                Double.parseDouble(values[4]),
                Double.parseDouble(values[5]),
                Double.parseDouble(values[6]),
                Long.parseLong(values[7]));
    }

    private static Snapshot snapshot(Path path) throws IOException {
        if (!Files.exists(path)) {
            return new Snapshot();
        }
        List<String> lines = Lines.read(path).lines;
        if (lines.isEmpty()
                || !lines.get(0).equals(HEADER)
                || !lines.get(lines.size() - 1).equals("end")) {
            throw damaged(path);
        }
        Snapshot snapshot = new Snapshot();
        long[] bounds = new long[lines.size() * 2];
        int count = 0;
        for (String line : lines.subList(1, lines.size() - 1)) {
            String[] words = line.split(" ");
            switch (words[0]) {
                case "state" -> snapshot.state = Ledger.State.valueOf(words[1]);
                case "written" -> snapshot.writtenMillis = Long.parseLong(words[1]);
                case "offered" -> snapshot.offeredTo = Long.parseLong(words[1]);
                case "position" -> snapshot.readBackFrom.put(Integer.parseInt(words[1]), Position.parse(words[2]));
                case "range" -> {
                    bounds[count++] = Long.parseLong(words[1]);
                    bounds[count++] = Long.parseLong(words[2]);
                }
                default -> throw damaged(path);
            }
        }
        snapshot.acknowledged = IndexRanges.of(java.util.Arrays.copyOf(bounds, count));
        return snapshot;
    }

    /** The line with its checksum, as it stands in a file. */
    private static String sealed(String line) {
        return line + " #" + checksum(line) + "\n";
    }

    private static String checksum(String line) {
        CRC32 crc = new CRC32();
        crc.update(line.getBytes(StandardCharsets.UTF_8));
        return Long.toHexString(crc.getValue());
    }

    private static final class Snapshot {
        Ledger.State state = Ledger.State.RUNNING;
        long writtenMillis;
        long offeredTo;
        IndexRanges acknowledged = IndexRanges.none();
        final Map<Integer, Position> readBackFrom = new HashMap<>();
    }

    /** The lines up to the first that is not whole, without their checksums. */
    private record Lines(List<String> lines, long goodBytes) {
        /** Throws EnvironmentException when whole lines follow one that is not: only the last can be half written. */
        static Lines read(Path path) throws IOException {
            String text = Files.readString(path, StandardCharsets.ISO_8859_1);
            List<String> lines = new ArrayList<>();
            int goodBytes = 0;
            boolean whole = true;
            int at = 0;
            for (int end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', at)) {
                String line = whole(text.substring(at, end));
                at = end + 1;
                if (line != null && !whole) {
                    throw damaged(path);
                }
                whole &= line != null;
                if (whole) {
                    lines.add(line);
                    goodBytes = at;
                }
            }
            return new Lines(lines, goodBytes);
        }

        /** The line without its checksum; null when that is not its own. */
        private static @Nullable String whole(String sealed) {
            int mark = sealed.lastIndexOf(" #");
            return mark >= 0 && checksum(sealed.substring(0, mark)).equals(sealed.substring(mark + 2))
                    ? sealed.substring(0, mark)
                    : null;
        }
    }
}
