package dev.millrace.deploy.command;

import dev.millrace.deploy.infrastructure.HourlyCost;
import dev.millrace.deploy.local.Installation;
import dev.millrace.deploy.sizing.Derivation;
import dev.millrace.deploy.sizing.Overlay;
import java.io.PrintWriter;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code millrace size}: how large a deployment must be for a rate, and what its machines cost. Makes nothing. */
@CommandLine.Command(
        name = "size",
        description = {
            "Derive partitions, parallelism, TaskManagers and generators of a deployment on a cluster from a rate, by the",
            "rates per core in deploy/sizing.yaml; print each line with its formula, and what the machines cost in an hour.",
            "No cluster and no account is asked, and nothing is made."
        },
        footer = {
            "",
            "Exit code 0: derived. 2: an option is wrong, or the size cannot carry the rate; the sentence says what would be",
            "right. 3: a file cannot be read or written."
        })
public final class SizeCommand implements Command {
    @CommandLine.Spec
    CommandLine.Model.CommandSpec spec;

    @Option(names = "--broker", paramLabel = "BROKER", required = true, description = "which broker")
    String broker;

    @Mixin
    SizeOptions options;

    @Option(
            names = "--write",
            paramLabel = "DIR",
            description = "also write a kustomization that says the same, on top of the broker's folder of that size")
    @Nullable
    Path write;

    @Option(names = "--json", description = "one line of JSON")
    boolean json;

    @Override
    public Integer call() {
        Installation installation = Installation.here();
        Derivation derivation = options.derivation(installation, broker);
        HourlyCost cost = options.cost(installation, derivation);
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(DerivationText.json(derivation, cost));
        } else {
            out.print(DerivationText.of(derivation, cost, options.region()));
        }
        if (write != null) {
            Overlay overlay = Overlay.of(derivation, installation.root(), write);
            overlay.write(write);
            if (!json) {
                print(out, overlay, write);
            }
        }
        out.flush();
        return Millrace.OK;
    }

    private static void print(PrintWriter out, Overlay overlay, Path folder) {
        out.println("Written: " + folder + " ("
                + String.join(", ", overlay.files().keySet().stream().sorted().toList())
                + "). Build your own kustomization on it, with parallelism as in its job.properties.");
        if (overlay.files().containsKey(Overlay.FOR_CHART)) {
            out.println("The chart takes " + folder.resolve(Overlay.FOR_CHART)
                    + " behind the broker's own values.yaml and before that of its durability.");
        }
    }
}
