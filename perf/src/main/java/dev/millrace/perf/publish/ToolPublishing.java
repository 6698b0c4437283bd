package dev.millrace.perf.publish;

import dev.millrace.connectors.api.baseline.LoadTool;
import dev.millrace.deploy.local.Logs;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The load tool of the broker's project. */
record ToolPublishing(LoadTool tool, LoadTool.Start start, Path log) implements Publishing {
    private static final int LINES = 1000;

    @Override
    public List<String> command() {
        List<String> command = new ArrayList<>(start.javaOptions());
        command.addAll(List.of("-cp", start.classPath(), start.mainClass()));
        command.addAll(start.arguments());
        return command;
    }

    @Override
    public PublishRun.Own own() {
        LoadTool.Summary summary = tool.summary(Logs.last(log, LINES));
        return new PublishRun.Own(
                summary.sent(), summary.readingsPerSecond(), summary.p50Millis(), summary.p99Millis(), Double.NaN);
    }
}
