package dev.millrace.deploy.command;

import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.deploy.look.StackLook;
import dev.millrace.deploy.look.StackStatus;
import java.io.PrintWriter;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code millrace status}: one look, or one after the other. */
@CommandLine.Command(
        name = "status",
        description = "Show what a stack does: readings, lag, windows, processes and where they are.",
        footer = {"", "A figure that cannot be had at the moment (a process restarts) is shown as -, in JSON as null."})
public final class StatusCommand implements Command {
    private static final long PAUSE_NANOS = 1_000_000_000;

    @CommandLine.Spec
    CommandLine.Model.CommandSpec spec;

    @Mixin
    Selection selection;

    @Option(names = "--json", description = "one line of JSON")
    boolean json;

    @Option(names = "--watch", description = "again every 2 s, until Ctrl-C")
    boolean watch;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        RunDirectory directory = selection.stack();
        try (StackLook look = new StackLook(directory)) {
            do {
                StackStatus status = look.look();
                out.println(json ? status.json() : status.text());
                out.flush();
                if (watch) {
                    // A look takes a second by itself.
                    LockSupport.parkNanos(PAUSE_NANOS);
                }
            } while (watch && !Thread.currentThread().isInterrupted() && !out.checkError());
        }
        return Millrace.OK;
    }
}
