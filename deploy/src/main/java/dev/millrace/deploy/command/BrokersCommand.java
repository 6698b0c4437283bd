package dev.millrace.deploy.command;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.deploy.local.Installation;
import dev.millrace.deploy.local.OutsidePlugin;
import dev.millrace.deploy.local.RunDirectories;
import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.deploy.local.StackSettings;
import dev.millrace.deploy.local.StackState;
import dev.millrace.deploy.look.Table;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code millrace brokers}: which there are, which are built, which run. */
@CommandLine.Command(
        name = "brokers",
        description = "List the brokers of this clone: whether the plugin is built and whether a stack runs.",
        synopsisSubcommandLabel = "[new NAME]")
public final class BrokersCommand implements Command {
    @CommandLine.Spec
    CommandLine.Model.CommandSpec spec;

    @Mixin
    Selection selection;

    @Option(names = "--json", description = "one line of JSON")
    boolean json;

    @Option(names = "--plugin-dir", paramLabel = "DIR", description = "and the plugin in this folder of jars")
    @Nullable
    Path pluginDir;

    @CommandLine.Command(
            name = "new",
            description = {
                "Begin a broker of your own: write the folder brokers/NAME, its module line and its profile line.",
                "It compiles at once, and its contract test says what is to be written. Nothing is overwritten."
            })
    int create(@Parameters(paramLabel = "NAME", description = "lower case letters and digits") String name) {
        Installation installation = Installation.here();
        PrintWriter out = spec.commandLine().getOut();
        new NewBroker(installation.root(), name).write().forEach(file -> out.println("wrote " + file));
        out.println("What is to be written, its contract says: "
                + installation.inClone(
                        "mvn verify -pl brokers/" + name + " -am -Dtest=None -Dsurefire.failIfNoSpecifiedTests=false"));
        out.flush();
        return Millrace.OK;
    }

    /** @param from the folder of its jars */
    private record Row(String broker, boolean built, Path from, String stack, String address) {}

    @Override
    public Integer call() {
        Installation installation = Installation.here().with(Optional.ofNullable(pluginDir));
        Map<String, Row> rows = new TreeMap<>();
        for (String broker : installation.brokers()) {
            rows.put(broker, row(RunDirectory.of(selection.base(), broker), installation.pluginFolder(broker)));
        }
        // A stack keeps to the plugin that it was started with.
        for (RunDirectory directory : RunDirectories.all(selection.base())) {
            if (RunDirectories.whyUnseen(directory).isPresent()) {
                continue;
            }
            directory
                    .settings()
                    .flatMap(StackSettings::pluginDir)
                    .ifPresent(folder -> rows.put(directory.broker(), row(directory, folder)));
        }
        selection.broker().ifPresent(broker -> {
            installation.requireKnown(broker, rows.keySet());
            rows.keySet().retainAll(Set.of(broker));
        });
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            ArrayNode array = new ObjectMapper().createArrayNode();
            for (Row row : rows.values()) {
                ObjectNode node = array.addObject();
                node.put("broker", row.broker()).put("built", row.built());
                node.put("plugin", row.from().toString());
                node.put("stack", row.stack()).put("address", row.address());
            }
            out.println(array);
        } else {
            Table table = new Table("broker", "plugin", "stack", "address", "from");
            for (Row row : rows.values()) {
                table.row(
                        row.broker(),
                        row.built() ? "built" : "not built",
                        row.stack(),
                        row.address(),
                        row.from().toString());
            }
            out.print(table);
            rows.values().stream()
                    .filter(row -> !row.built())
                    .findFirst()
                    .ifPresent(row ->
                            out.println("\nbuild a plugin: " + installation.buildCommand("brokers/" + row.broker())));
        }
        out.flush();
        rows.keySet().stream()
                .flatMap(broker -> RunDirectories.whyUnseen(RunDirectory.of(selection.base(), broker)).stream())
                .forEach(why -> spec.commandLine().getErr().println("millrace: " + why));
        return Millrace.OK;
    }

    private static Row row(RunDirectory directory, Path plugin) {
        boolean seen = RunDirectories.whyUnseen(directory).isEmpty();
        boolean runs = seen && directory.isRunning();
        Optional<StackState> state = runs ? directory.state() : Optional.empty();
        return new Row(
                directory.broker(),
                !OutsidePlugin.jars(plugin).isEmpty(),
                plugin,
                runs ? state.map(said -> said.state().word()).orElse("starting") : seen ? "none" : "unknown",
                state.map(StackState::brokerAddress).orElse(""));
    }
}
