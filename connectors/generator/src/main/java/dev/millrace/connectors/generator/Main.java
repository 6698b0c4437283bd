package dev.millrace.connectors.generator;

import dev.millrace.connectors.api.broker.Brokers;
import dev.millrace.core.audit.LedgerFile;
import dev.millrace.core.generate.Schedule;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.UserException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The generator's process: {@code --settings FILE}. Exit codes: 0 stopped in order (SIGTERM), 1 our fault or a send whose
 * fate is unknown (start it again), 2 the settings are wrong, 3 broker, port or disk.
 */
public final class Main {
    private static final long STOP_SECONDS = 20;

    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile int exitCode;

    private Main() {}

    public static void main(String[] args) {
        System.exit(new Main().run(args));
    }

    private int run(String[] args) {
        try {
            if (args.length != 2 || !args[0].equals("--settings")) {
                throw new UserException("usage: --settings FILE");
            }
            send(GeneratorOptions.load(Path.of(args[1])));
        } catch (UserException e) {
            System.err.println(e.getMessage());
            exitCode = 2;
        } catch (EnvironmentException e) {
            System.err.println(e.getMessage());
            exitCode = 3;
        } catch (RuntimeException e) {
            System.err.println("the generator stops: " + e.getMessage());
            e.printStackTrace();
            exitCode = 1;
        } finally {
            ended.countDown();
        }
        return exitCode;
    }

    private void send(GeneratorOptions given) {
        GeneratorMetrics metrics = new GeneratorMetrics();
        boolean accelerated = given.acceleration() > 1;
        GeneratorOptions options = accelerated ? given.startingAt(anchorMillis(given)) : given;
        Clock clock =
                accelerated ? Clock.accelerated(options.startMillis() * 1000, options.acceleration()) : Clock::system;
        Path file = options.latencyLog();
        try (LatencyLog log = file == null ? null : new LatencyLog(file)) {
            send(options, metrics, log, clock);
        }
    }

    private void send(GeneratorOptions options, GeneratorMetrics metrics, @Nullable LatencyLog log, Clock clock) {
        LongConsumer latency = log == null
                ? metrics::latency
                : micros -> {
                    metrics.latency(micros);
                    log.record(micros);
                };
        Generator generator = new Generator(
                options,
                Brokers.named(options.broker()),
                clock,
                DiskGuard.freeBytesOf(existing(options.disk())),
                latency);
        if (log != null) {
            log.start(generator::fail);
        }
        metrics.watch(generator);
        Path note = options.auditNote();
        if (note != null) {
            metrics.watch(new AuditVerdict(note));
        }
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(generator), "generator-stop"));
        try (GeneratorServer server = new GeneratorServer(options.port(), options.lookHost(), generator, metrics)) {
            System.out.println(
                    "generator: http://127.0.0.1:" + server.port() + "/state, ledger in " + options.directory());
            generator.run();
        }
    }

    /** Where accelerated time begins: at the ledger's start, so that it is the same after a restart. */
    private static long anchorMillis(GeneratorOptions options) {
        boolean begun = LedgerFile.exists(options.directory());
        Schedule schedule = begun ? LedgerFile.read(options.directory()).schedule() : new Schedule();
        return (schedule.isEmpty() ? Clock.system() : schedule.startMicros()) / 1000;
    }

    /** On SIGTERM the JVM would exit with 143; the supervisor is told by 0 that all is in order. */
    private void stop(Generator generator) {
        generator.stop();
        boolean inOrder = false;
        try {
            inOrder = ended.await(STOP_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Runtime.getRuntime().halt(inOrder ? exitCode : 1);
    }

    /** The directory itself, or the nearest one above that is there already. */
    private static Path existing(Path directory) {
        Path path = directory.toAbsolutePath();
        while (path.getParent() != null && !java.nio.file.Files.exists(path)) {
            path = path.getParent();
        }
        return path;
    }
}
