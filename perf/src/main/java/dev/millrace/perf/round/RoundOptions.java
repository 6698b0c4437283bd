package dev.millrace.perf.round;

import dev.millrace.core.process.ProcessLock;
import dev.millrace.core.process.StopHook;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.local.Folders;
import dev.millrace.deploy.local.Installation;
import dev.millrace.deploy.local.RunDirectories;
import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.deploy.local.lifecycle.Environment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What every benchmark in rounds is told (which brokers, how often, in what order, where), and how it says what it found. */
public final class RoundOptions {
    @Spec(Spec.Target.MIXEE)
    CommandSpec spec;

    @Option(
            names = "--brokers",
            required = true,
            paramLabel = "BROKER",
            split = ",",
            description = "one or more brokers, one after the other")
    List<String> brokers = List.of();

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "5",
            description = "how many; default: ${DEFAULT-VALUE}")
    int count;

    @Option(names = "--seed", paramLabel = "N", defaultValue = "1", description = "of the order (default: 1)")
    long seed;

    @Option(
            names = "--up",
            paramLabel = "KEY=VALUE",
            description =
                    "any other option of `millrace up` (also broker.KEY, store.KEY), for every broker alike; may be repeated;"
                            + " $${env:NAME} in a value is that environment variable")
    List<String> upOptions = List.of();

    @Option(
            names = "--run-dir",
            paramLabel = "DIR",
            description = "where the stacks keep their data while they are measured (default: .millrace/benchmark)")
    @Nullable
    Path runDir;

    @Option(names = "--json", description = "print the result as one JSON document")
    boolean json;

    private volatile boolean interrupted;

    public List<String> brokers() {
        return brokers;
    }

    /** How many rounds. */
    public int count() {
        return count;
    }

    /** Of the order of variants. */
    public long seed() {
        return seed;
    }

    /** What {@code --up} names, by key; what is wrong in this mixin goes to {@code problems}. */
    public Map<String, String> up(List<String> problems) {
        once("--brokers", brokers, problems);
        check(problems, count >= 1 && count <= 100, "--rounds is " + count + "; it must be from 1 to 100");
        return options(upOptions, problems);
    }

    /** {@code --up} of any benchmark, by key; what is wrong goes to {@code problems}. */
    public static Map<String, String> options(List<String> upOptions, List<String> problems) {
        Map<String, String> options = new TreeMap<>();
        for (String option : upOptions) {
            int equals = option.indexOf('=');
            check(problems, equals > 0, "--up is '" + option + "'; it must be KEY=VALUE");
            if (equals > 0) {
                options.put(option.substring(0, equals), option.substring(equals + 1));
            }
        }
        try {
            return Environment.resolved("--up", options, System.getenv());
        } catch (UserException e) {
            problems.add(e.getMessage());
            return options;
        }
    }

    /** Adds a problem unless it is right. */
    public static void check(List<String> problems, boolean right, String problem) {
        if (!right) {
            problems.add(problem);
        }
    }

    /** Adds a problem for each name that an option has twice: what is measured of it would be held against itself. */
    public static void once(String option, List<String> names, List<String> problems) {
        names.stream()
                .distinct()
                .filter(name -> Collections.frequency(names, name) > 1)
                .forEach(name -> problems.add(option + " names '" + name + "' twice; name each once"));
    }

    /** Throws UserException with all problems there are. */
    public static void refuse(List<String> problems) {
        if (!problems.isEmpty()) {
            throw new UserException(String.join("; ", problems));
        }
    }

    /** Where run directories are, absolute. */
    public Path runDir(Installation installation) {
        return runDir(installation, runDir);
    }

    /** {@code --run-dir} of any benchmark, absolute. */
    public static Path runDir(Installation installation, @Nullable Path runDir) {
        return (runDir == null ? RunDirectory.defaultBase(installation).resolve("benchmark") : runDir)
                .toAbsolutePath()
                .normalize();
    }

    /** What was asked for, by name, of what machine, and whether it was interrupted: a part of every result. */
    public Map<String, String> asked(Map<String, String> up, Map<String, String> own) {
        Map<String, String> asked = ShownSettings.of(up);
        asked.putAll(own);
        asked.put("rounds", Integer.toString(count));
        asked.put("seed", Long.toString(seed));
        asked.put("cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
        asked.put("java", System.getProperty("java.version"));
        if (interrupted) {
            asked.put("interrupted", "true");
        }
        return asked;
    }

    /**
     * One benchmark at a time in a folder, each with stacks of the same names; UserException when there is another. Two of them
     * would measure each other besides.
     */
    public static ProcessLock alone(Path base) {
        return ProcessLock.take(
                base.resolve("lock"),
                "another benchmark is at work in " + base + "; wait for it to end, or end it with Ctrl-C");
    }

    /**
     * Throws UserException when a stack of this clone runs, which is none of a benchmark's: it would be measured as well; and when
     * one is where benchmarks have theirs. Who has stacks elsewhere, and benchmarks elsewhere, is left to know what runs on the machine.
     */
    public static void requireNoStack(Installation installation, Path benchmarks) {
        LeftStacks.refuseOthers(benchmarks);
        Path base = RunDirectory.defaultBase(installation);
        if (!benchmarks.startsWith(base) && !Folders.real(benchmarks).startsWith(Folders.real(base))) {
            return;
        }
        List<String> running = RunDirectories.all(base).stream()
                .filter(RunDirectory::isRunning)
                .map(RunDirectory::broker)
                .toList();
        if (!running.isEmpty()) {
            throw new UserException("a stack of " + String.join(" and of ", running) + " runs in " + base
                    + ", and its load would be measured as well; stop it first: millrace down --broker "
                    + running.get(0) + ", with --keep-data to go on with it later");
        }
    }

    /**
     * Measures, alone, and reports what was found; returns that. When this process is ended meanwhile (Ctrl-C), or measuring fails, what was
     * found until then is reported and kept, as interrupted.
     */
    @SuppressWarnings("try") // a lock is held, not used
    public <R extends RoundResult> R report(String benchmark, Path base, Runnable measuring, Supplier<R> found) {
        requireNoStack(Installation.here(), base);
        try (ProcessLock alone = alone(base)) {
            LeftStacks.remove(base, this::progress);
            return measured(benchmark, base, measuring, found);
        }
    }

    @SuppressWarnings("try") // a hook is held, not used
    private <R extends RoundResult> R measured(String benchmark, Path base, Runnable measuring, Supplier<R> found) {
        try (StopHook keeps = new StopHook("benchmark-keep", () -> keepInterrupted(benchmark, base, found))) {
            measuring.run();
        } catch (RuntimeException e) {
            if (interrupted) {
                // What was measured fails because it is being stopped: the process ends without a word on that.
                LockSupport.parkNanos(Long.MAX_VALUE);
            }
            keepInterrupted(benchmark, base, found);
            throw e;
        }
        R result = found.get();
        report(benchmark, base, result);
        return result;
    }

    /** What the end of the process, or a failure, does in the middle of {@link #report}; once. */
    synchronized void keepInterrupted(String benchmark, Path base, Supplier<? extends RoundResult> found) {
        if (interrupted) {
            return;
        }
        interrupted = true;
        RoundResult result = found.get();
        if (!result.isEmpty()) {
            progress("interrupted: these are the rounds until then");
            report(benchmark, base, result);
        }
    }

    /** Whether this process is being ended: what fails from then on fails for that. Thread-safe. */
    public boolean isInterrupted() {
        return interrupted;
    }

    /** Keeps a result in {@code RUN-DIR/results} and prints it, as text or as JSON. */
    private void report(String benchmark, Path base, RoundResult result) {
        String when = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").format(LocalDateTime.now());
        Path file = base.resolve("results").resolve(benchmark + "-" + when + ".json");
        String asJson = result.json();
        try {
            Files.createDirectories(file.getParent());
            Files.writeString(file, asJson);
        } catch (IOException e) {
            throw new EnvironmentException("cannot write " + file + ": " + e.getMessage(), e);
        }
        spec.commandLine().getOut().print(json ? asJson + "\n" : result.text());
        spec.commandLine().getOut().flush();
        progress("kept in " + file);
    }

    /** A line for a person who waits. */
    public void progress(String line) {
        spec.commandLine().getErr().println(line);
        spec.commandLine().getErr().flush();
    }
}
