package dev.millrace.perf.kubernetes;

import dev.millrace.deploy.command.Command;
import dev.millrace.deploy.command.Target;
import java.util.List;

/** What this module adds to the verbs of {@code --target kubernetes}. */
public final class BenchmarkTarget implements Target {

    @Override
    public String name() {
        return "kubernetes";
    }

    @Override
    public List<Command> commands() {
        return List.of(new BenchmarkVerb());
    }
}
