package dev.millrace.connectors.generator;

import dev.millrace.core.generate.GeneratorSettings;
import dev.millrace.core.generate.Schedule;
import dev.millrace.core.generate.Shape;
import dev.millrace.core.settings.Options;
import dev.millrace.core.settings.UserException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The generator's settings file.
 *
 * @param shape how the rate moves; null sends as fast as the broker takes it
 * @param eventRate without a shape: readings per second of event time
 * @param startMillis epoch milliseconds of the first reading; -1: when the ledger is begun
 * @param acceleration how many seconds of event time pass in one; rates are per second of event time
 * @param readings how many in all; 0 is without end
 * @param directory the ledger's
 * @param port of the HTTP server on 127.0.0.1; 0 takes any
 * @param lookHost an address on which it is only looked at, beside 127.0.0.1 where it takes orders too
 * @param disk a directory on the disk whose free space counts
 * @param minFreeDiskBytes below this it pauses
 * @param latencyLog where the latencies of sends go; null: nowhere
 * @param auditNote where whoever audits the stack leaves the newest verdict; null: nobody says
 * @param burnMicros CPU time spent on nothing for each reading, microseconds
 */
record GeneratorOptions(
        String broker,
        Options brokerOptions,
        String topic,
        GeneratorSettings settings,
        @Nullable Shape shape,
        long eventRate,
        long startMillis,
        double acceleration,
        long readings,
        Path directory,
        int port,
        String lookHost,
        Path disk,
        long minFreeDiskBytes,
        @Nullable Path latencyLog,
        @Nullable Path auditNote,
        long burnMicros) {

    private static final String BROKER_PREFIX = "broker.";
    private static final long MAX_RATE = Schedule.MAX_RATE;
    private static final double MAX_ACCELERATION = 1_000_000;

    /** How often the devices send, as the file spells it. */
    enum Skew {
        UNIFORM,
        ZIPF
    }

    static GeneratorOptions load(Path file) {
        return bind(Options.read(file), "settings file " + file);
    }

    /** What stands below {@code broker.} is the plugin's to check; everything else must be known here. */
    static GeneratorOptions bind(Options options, String what) {
        Map<String, String> own = new TreeMap<>(options.asMap());
        own.keySet().removeIf(key -> key.startsWith(BROKER_PREFIX));
        return Options.of(own).bind(what, binder -> bind(binder, options.under(BROKER_PREFIX)));
    }

    private static GeneratorOptions bind(Options.Binder binder, Options brokerOptions) {
        String directory = binder.required("directory", "a directory for the ledger");
        Shape shape = shape(binder);
        long readings = binder.integer("readings", 0, 0, Long.MAX_VALUE);
        GeneratorOptions options = new GeneratorOptions(
                binder.required("broker", "the name of a broker on the class path"),
                brokerOptions,
                binder.required("topic", "the topic that readings are sent to"),
                settings(binder),
                shape,
                binder.integer("event-rate", 10_000, 1, MAX_RATE),
                binder.integer("start", -1, 0, Schedule.MAX_START_MILLIS),
                binder.decimal("acceleration", 1, 1, MAX_ACCELERATION),
                readings,
                Path.of(directory),
                (int) binder.integer("port", 0, 0, 65535),
                binder.string("look-host", GeneratorServer.LOOPBACK),
                Path.of(binder.string("disk", directory)),
                binder.bytes("min-free-disk", 2L << 30),
                file(binder, "latency-log"),
                file(binder, "audit-note"),
                binder.integer("burn-micros", 0, 0, 1_000_000));
        if (options.acceleration > 1 && options.startMillis >= 0) {
            binder.problem("'acceleration' and 'start' exclude each other; name one");
        }
        return options;
    }

    /** These options with a start. */
    GeneratorOptions startingAt(long millis) {
        return new GeneratorOptions(
                broker,
                brokerOptions,
                topic,
                settings,
                shape,
                eventRate,
                millis,
                acceleration,
                readings,
                directory,
                port,
                lookHost,
                disk,
                minFreeDiskBytes,
                latencyLog,
                auditNote,
                burnMicros);
    }

    private static @Nullable Path file(Options.Binder binder, String key) {
        String file = binder.string(key, "");
        return file.isEmpty() ? null : Path.of(file);
    }

    private static GeneratorSettings settings(Options.Binder binder) {
        Skew skew = binder.oneOf("skew", Skew.UNIFORM, Skew.class);
        double exponent = binder.decimal("zipf-exponent", 1, 0.01, 4);
        long seed = binder.integer("seed", 1, Long.MIN_VALUE, Long.MAX_VALUE);
        int devices = (int) binder.integer("devices", 1000, 1, GeneratorSettings.MAX_DEVICES);
        int firstDevice = (int) binder.integer("first-device", 0, 0, GeneratorSettings.MAX_ALL_DEVICES - 1);
        int allDevices =
                (int) binder.integer("all-devices", (long) firstDevice + devices, 1, GeneratorSettings.MAX_ALL_DEVICES);
        int payloadBytes = (int) binder.integer(
                "payload-bytes", 300, GeneratorSettings.MIN_PAYLOAD_BYTES, GeneratorSettings.MAX_PAYLOAD_BYTES);
        double entropy = binder.decimal("payload-entropy", 1, 0, 1);
        double outOfOrder = binder.decimal("out-of-order-share", 0, 0, 1);
        double late = binder.decimal("late-share", 0, 0, 1);
        Duration bound = binder.duration("out-of-orderness", Duration.ofSeconds(5));
        try {
            return new GeneratorSettings(
                    seed,
                    devices,
                    firstDevice,
                    allDevices,
                    skew == Skew.ZIPF ? exponent : 0,
                    payloadBytes,
                    entropy,
                    outOfOrder,
                    late,
                    bound.toMillis());
        } catch (UserException e) {
            binder.problem(e.getMessage());
            return GeneratorSettings.of(seed, devices);
        }
    }

    private static @Nullable Shape shape(Options.Binder binder) {
        String rate = binder.string("rate", "10000").trim();
        Shape.Kind kind = binder.oneOf("shape", Shape.Kind.CONSTANT, Shape.Kind.class);
        Duration period = binder.duration("shape-period", Duration.ofMinutes(1));
        long to = binder.integer("shape-rate", 0, 0, MAX_RATE);
        if (rate.equals("max")) {
            if (kind != Shape.Kind.CONSTANT) {
                binder.problem("'shape' needs a 'rate' in readings per second, not 'max'");
            }
            return null;
        }
        long from;
        try {
            from = Long.parseLong(rate.replace("_", ""));
        } catch (NumberFormatException e) {
            from = -1;
        }
        if (from < 1 || from > MAX_RATE) {
            binder.problem("'rate' is '" + rate + "'; it must be a whole number of readings per second from 1 to "
                    + MAX_RATE + ", or max");
            return Shape.constant(1);
        }
        if (period.toSeconds() < 1) {
            binder.problem("'shape-period' must be at least 1s");
            return Shape.constant(from);
        }
        return new Shape(kind, from, to, period.toSeconds());
    }
}
