package dev.millrace.perf;

import dev.millrace.deploy.command.Millrace;
import java.io.PrintWriter;
import java.io.StringWriter;

/** What a command of the real command line left: its exit code, and what it printed. */
record Outcome(int exitCode, String out, String err) {

    static Outcome of(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exitCode = Millrace.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
        return new Outcome(exitCode, out.toString(), err.toString());
    }
}
