package dev.millrace.deploy.command;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.deploy.local.Installation;
import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.deploy.local.StackState;
import dev.millrace.deploy.look.Table;
import java.io.PrintWriter;
import java.util.List;
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
        out.println("What is to be written, its contract says: (cd " + installation.root()
                + " && mvn verify -pl brokers/" + name + " -am)");
        out.flush();
        return Millrace.OK;
    }

    private record Row(String broker, boolean built, String stack, String address) {}

    @Override
    public Integer call() {
        Installation installation = Installation.here();
        List<String> built = installation.builtBrokers();
        List<Row> rows = installation.brokers().stream()
                .filter(broker -> selection.broker().map(broker::equals).orElse(true))
                .map(broker -> {
                    RunDirectory directory = RunDirectory.of(selection.base(), broker);
                    boolean runs = directory.isRunning();
                    return new Row(
                            broker,
                            built.contains(broker),
                            runs
                                    ? directory
                                            .state()
                                            .map(state -> state.state().word())
                                            .orElse("starting")
                                    : "none",
                            runs
                                    ? directory
                                            .state()
                                            .map(StackState::brokerAddress)
                                            .orElse("")
                                    : "");
                })
                .toList();
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            ArrayNode array = new ObjectMapper().createArrayNode();
            for (Row row : rows) {
                ObjectNode node = array.addObject();
                node.put("broker", row.broker()).put("built", row.built());
                node.put("stack", row.stack()).put("address", row.address());
            }
            out.println(array);
        } else {
            Table table = new Table("broker", "plugin", "stack", "address");
            rows.forEach(
                    row -> table.row(row.broker(), row.built() ? "built" : "not built", row.stack(), row.address()));
            out.print(table);
            rows.stream()
                    .filter(row -> !row.built())
                    .findFirst()
                    .ifPresent(row ->
                            out.println("\nbuild a plugin: " + installation.buildCommand("brokers/" + row.broker())));
        }
        out.flush();
        return Millrace.OK;
    }
}
