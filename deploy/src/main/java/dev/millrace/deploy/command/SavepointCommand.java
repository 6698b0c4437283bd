package dev.millrace.deploy.command;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.core.settings.Values;
import dev.millrace.deploy.local.lifecycle.Savepoints;
import java.io.PrintWriter;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code millrace savepoint}. */
@CommandLine.Command(
        name = "savepoint",
        description = {
            "Take a savepoint of the running job, which goes on.",
            "The newest " + Savepoints.KEPT
                    + " are kept in the run directory's savepoints/ until down: copy what you want to keep. No",
            "command starts from a chosen one; up and scale take their own."
        })
public final class SavepointCommand implements Command {
    @CommandLine.Spec
    CommandLine.Model.CommandSpec spec;

    @Mixin
    Selection selection;

    @Option(names = "--json", description = "one line of JSON: path, bytes, millis, kept")
    boolean json;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        Savepoints.Taken taken = Savepoints.take(selection.stack(), line -> {
            err.println(line);
            err.flush();
        });
        if (json) {
            ObjectNode node = JsonNodeFactory.instance.objectNode();
            node.put("path", taken.path().toString());
            node.put("bytes", taken.bytes());
            node.put("millis", taken.millis());
            node.put("kept", Savepoints.KEPT);
            out.println(node);
        } else {
            out.println(String.format(
                    Locale.ROOT,
                    "savepoint %s, %s, after %.1f s; the job goes on, the newest %d savepoints are kept",
                    taken.path(),
                    Values.text(taken.bytes()),
                    taken.millis() / 1000.0,
                    Savepoints.KEPT));
        }
        out.flush();
        return Millrace.OK;
    }
}
