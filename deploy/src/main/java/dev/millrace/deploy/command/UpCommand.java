package dev.millrace.deploy.command;

import dev.millrace.core.settings.Options;
import dev.millrace.deploy.local.Installation;
import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.deploy.local.StackSettings;
import dev.millrace.deploy.local.lifecycle.StackLauncher;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** {@code millrace up}: its options are the table of {@link StackSettings}, so that files, Maven and people share one. */
@CommandLine.Command(
        name = "up",
        description = {
            "Bring a stack up on this machine and wait until windows are in the store.",
            "Where one runs with another job jar or other settings, what differs is listed and applied: the job goes on",
            "from a savepoint, and only the processes that it concerns start again. What is not named stays as it is.",
            "Any option of the broker or the store can be added: --broker.KEY=VALUE, --store.KEY=VALUE."
        })
public final class UpCommand implements Command {
    @CommandLine.Spec
    CommandSpec spec;

    @CommandLine.Option(
            names = "--settings",
            paramLabel = "FILE",
            description = "a properties file with any of these options; those on the command line win")
    @Nullable
    Path settingsFile;

    @CommandLine.Option(
            names = "--run-dir",
            paramLabel = "DIR",
            description = "where run directories are (default: .millrace in the clone)")
    @Nullable
    Path runDir;

    @CommandLine.Option(names = "--dry-run", description = "say what would be done, and do nothing")
    boolean dryRun;

    @CommandLine.Option(
            names = "--drop-state",
            description = {
                "allow a change (of --window, say) that the open windows and the stored rows do not survive: both are",
                "dropped, and the job reads again all readings that the broker still keeps"
            })
    boolean dropState;

    @Override
    public CommandLine commandLine() {
        return StackOptions.of(this, List.of());
    }

    @Override
    public Integer call() {
        up(StackOptions.given(spec.commandLine(), settingsFile), Selection.base(runDir));
        return Millrace.OK;
    }

    private void up(Options given, Path base) {
        StackSettings named = named(given, base);
        Installation installation = Installation.here().with(pluginDir(named, base));
        StackSettings settings = named(given.with("broker", installation.broker(named)), base);
        RunDirectory directory = RunDirectory.of(base, settings.broker());
        // An unknown broker must not leave a folder behind.
        installation.builtPlugin(settings.broker());
        new StackLauncher(installation, directory, spec.commandLine().getOut())
                .up(settings, new StackLauncher.Manner(dryRun, dropState));
    }

    /** With the plugin's own broker nobody need name it, and until the plugin is found it is not known which stack is meant. */
    private static StackSettings named(Options given, Path base) {
        return given.get("broker")
                .map(broker -> StackSettings.named("up", given, RunDirectory.of(base, broker)))
                .orElseGet(() -> StackSettings.named("up", given));
    }

    /** The named one, else the one that the stack is there with: what nobody names stays as it is. */
    private static Optional<Path> pluginDir(StackSettings settings, Path base) {
        return settings.pluginDir().or(() -> Optional.of(settings.broker())
                .filter(broker -> !broker.isEmpty())
                .flatMap(broker -> RunDirectory.of(base, broker).settings())
                .flatMap(StackSettings::pluginDir));
    }
}
