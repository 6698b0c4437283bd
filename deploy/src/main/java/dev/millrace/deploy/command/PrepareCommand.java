package dev.millrace.deploy.command;

import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.local.Installation;
import dev.millrace.deploy.pod.PodPart;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/** {@code millrace prepare}: what a pod runs before its process. */
@CommandLine.Command(
        name = "prepare",
        hidden = true,
        description =
                "In a pod: wait for what a part of the stack needs, write its files and its command line, @DIR/java.args.")
public final class PrepareCommand implements Command {
    private static final String ADDRESS = "POD_IP";

    @CommandLine.Spec
    CommandLine.Model.CommandSpec spec;

    @CommandLine.Parameters(paramLabel = "PART", description = "store, jobmanager, taskmanager or generator")
    String part;

    @CommandLine.Option(
            names = "--settings-dir",
            paramLabel = "DIR",
            defaultValue = "/etc/millrace",
            description = "where the pod's settings are mounted (default: /etc/millrace)")
    Path settings;

    @CommandLine.Option(
            names = "--run-dir",
            paramLabel = "DIR",
            defaultValue = "/run/millrace",
            description = "what goes with the pod (default: /run/millrace)")
    Path run;

    @CommandLine.Option(
            names = "--data-dir",
            paramLabel = "DIR",
            defaultValue = "/var/lib/millrace",
            description = "what stays (default: /var/lib/millrace)")
    Path data;

    @CommandLine.Option(
            names = "--keys-dir",
            paramLabel = "DIR",
            defaultValue = "/run/keys",
            description = "in memory: what is made of the pod's keys (default: /run/keys)")
    Path keys;

    @CommandLine.Option(
            names = "--job-url",
            paramLabel = "URL",
            description = "where the job's REST interface is, when others than this stack run Flink")
    @Nullable
    String jobUrl;

    @Override
    public Integer call() {
        String address = Optional.ofNullable(System.getenv(ADDRESS))
                .orElseThrow(() -> new UserException("the environment has no " + ADDRESS
                        + ", the pod's address; a manifest takes it from status.podIP"));
        new PodPart(
                        Installation.here(),
                        new PodPart.Places(settings, run, data, keys, address),
                        Optional.ofNullable(jobUrl),
                        spec.commandLine().getOut())
                .prepare(part);
        return Millrace.OK;
    }
}
