package dev.millrace.deploy.command;

import dev.millrace.core.settings.Suggestion;
import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.local.Installation;
import dev.millrace.deploy.local.Logs;
import dev.millrace.deploy.local.RunDirectories;
import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.deploy.local.StackState;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code millrace logs}: also of a stack that is down, as its logs stay. */
@CommandLine.Command(name = "logs", description = "Show the end of a process's log, or of every process's.")
public final class LogsCommand implements Command {
    private static final long LOOK_MILLIS = 500;

    @CommandLine.Spec
    CommandSpec spec;

    @CommandLine.Mixin
    Selection selection;

    @Parameters(
            arity = "0..1",
            paramLabel = "PROCESS",
            description = "broker, store, jobmanager, taskmanager, generator or supervisor (default: all)")
    @Nullable
    String process;

    @Option(names = "--lines", paramLabel = "N", description = "how many lines of each (default: 20)")
    int lines = 20;

    @Option(
            names = {"-f", "--follow"},
            description = "go on showing what is added, until Ctrl-C")
    boolean follow;

    /** Throws UserException when so many lines cannot be shown. */
    public static void requireLines(int lines) {
        if (lines < 0) {
            throw new UserException("--lines is " + lines + "; it must be at least 0");
        }
    }

    @Override
    public Integer call() throws InterruptedException {
        requireLines(lines);
        PrintWriter out = spec.commandLine().getOut();
        Map<String, Path> logs = logs();
        Map<String, Long> shown = new LinkedHashMap<>();
        logs.forEach((name, log) -> {
            shown.put(name, Logs.size(log));
            Logs.last(log, lines).forEach(line -> out.println(prefix(logs, name) + line));
        });
        out.flush();
        while (follow && !out.checkError()) {
            logs.forEach((name, log) -> shown.put(name, added(out, prefix(logs, name), log, shown.get(name))));
            out.flush();
            Thread.sleep(LOOK_MILLIS);
        }
        return Millrace.OK;
    }

    private static String prefix(Map<String, Path> logs, String name) {
        return logs.size() == 1 ? "" : name + " | ";
    }

    private static long added(PrintWriter out, String prefix, Path log, long shown) {
        long size = Logs.size(log);
        // A file that became shorter was rolled over: its successor is shown from its start.
        long from = size < shown ? 0 : shown;
        if (size > from) {
            Logs.Added added = Logs.added(log, from);
            added.lines().forEach(line -> out.println(prefix + line));
            return added.end();
        }
        return from;
    }

    private Map<String, Path> logs() {
        RunDirectory directory = directory();
        Map<String, Path> logs = new LinkedHashMap<>();
        StackState state = directory.state().orElseGet(() -> StackState.of(Map.of()));
        for (String name : StackState.NAMES) {
            String log = state.part(name).log();
            Path file = log.isEmpty() ? directory.logs().resolve(name + ".log") : Path.of(log);
            if (process == null ? Logs.size(file) > 0 : process.equals(name)) {
                logs.put(name, file);
            }
        }
        if (StackState.BROKER.equals(process) && state.isForeignBroker()) {
            throw new UserException(
                    "the broker at " + state.brokerAddress() + " is your own; its log is where it runs");
        }
        if (StackState.STORE.equals(process) && state.isForeignStore()) {
            throw new UserException(
                    "the store at " + state.part(StackState.STORE).url() + " is your own; its log is where it runs");
        }
        if (process != null && logs.isEmpty()) {
            throw new UserException("there is no process '" + process + "'"
                    + Suggestion.didYouMean(process, StackState.NAMES)
                    + "; there are: " + String.join(", ", StackState.NAMES));
        }
        if (logs.isEmpty()) {
            throw new UserException("there are no logs in " + directory.logs());
        }
        if (process != null && !Files.exists(logs.get(process)) && !(follow && directory.isRunning())) {
            throw new UserException("there is no log of process '" + process + "': no file " + logs.get(process));
        }
        return logs;
    }

    /** A misspelt name is no stack without logs: {@code --follow} would wait for ever. */
    private RunDirectory named(String broker) {
        RunDirectory directory = RunDirectory.of(selection.base(), broker);
        RunDirectories.requireSeen(selection.base(), broker);
        if (!Files.isDirectory(directory.path())) {
            Installation.here().requireKnown(broker, List.of());
            throw new UserException("there are no logs in " + directory.logs());
        }
        return directory;
    }

    /** Logs outlive their stack: with none running, the only ones there are meant. */
    private RunDirectory directory() {
        if (selection.broker().isPresent()) {
            return named(selection.broker().get());
        }
        List<RunDirectory> kept = RunDirectories.running(selection.base()).isEmpty()
                ? RunDirectories.withLogs(selection.base())
                : List.of();
        return kept.size() == 1 ? kept.get(0) : selection.stack();
    }
}
