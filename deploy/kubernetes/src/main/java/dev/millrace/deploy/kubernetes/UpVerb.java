package dev.millrace.deploy.kubernetes;

import dev.millrace.connectors.api.broker.Broker;
import dev.millrace.core.settings.Options;
import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.command.Command;
import dev.millrace.deploy.command.DerivationText;
import dev.millrace.deploy.command.Millrace;
import dev.millrace.deploy.command.SizeOptions;
import dev.millrace.deploy.command.StackOptions;
import dev.millrace.deploy.kubernetes.cluster.Cluster;
import dev.millrace.deploy.kubernetes.cluster.ClusterStack;
import dev.millrace.deploy.kubernetes.cluster.OwnedObjects;
import dev.millrace.deploy.kubernetes.image.BaseImage;
import dev.millrace.deploy.kubernetes.production.Needs;
import dev.millrace.deploy.kubernetes.production.ProductionLauncher;
import dev.millrace.deploy.kubernetes.production.ProductionManifests;
import dev.millrace.deploy.kubernetes.production.ProductionOptions;
import dev.millrace.deploy.kubernetes.production.ProductionStopper;
import dev.millrace.deploy.kubernetes.stack.ClusterLauncher;
import dev.millrace.deploy.local.Installation;
import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.deploy.local.StackMemory;
import dev.millrace.deploy.local.StackSettings;
import dev.millrace.deploy.sizing.Derivation;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** {@code millrace up --target kubernetes}. */
@CommandLine.Command(
        name = "up",
        description = {
            "Bring a stack up on a cluster and wait until its rows are audited.",
            "First all that would be made or changed is listed; --dry-run ends there. Where one is there, what differs is",
            "applied, and what is not named stays as it is, but for --base and --registry: name them each time. An up that was",
            "interrupted goes on by the same up again. At size c5-i7i settings stand in files: of those below only --rate is taken.",
            "Any option of the broker or the store can be added: --broker.KEY=VALUE, --store.KEY=VALUE."
        })
final class UpVerb implements Command {
    private static final String RATE = "rate";
    private static final List<String> SIZES = List.of(ClusterStack.TINY, ClusterStack.PRODUCTION);

    @CommandLine.Spec
    CommandSpec spec;

    @Mixin
    Place place;

    @Option(
            names = "--settings",
            paramLabel = "FILE",
            description = "a properties file with any of the settings; those on the command line win")
    @Nullable
    Path settingsFile;

    @Option(
            names = "--run-dir",
            paramLabel = "DIR",
            description = "where the kustomization that is applied is written (default: .millrace in the clone)")
    @Nullable
    Path runDir;

    @Option(names = "--dry-run", description = "list every object and what would change in it, and do nothing")
    boolean dryRun;

    @Option(
            names = "--force-conflicts",
            description = "set back fields of our objects that somebody else has set since")
    boolean takesConflicts;

    @Option(
            names = "--base",
            paramLabel = "IMAGE",
            defaultValue = BaseImage.DEFAULT,
            description =
                    "what the images stand on: NAME:TAG in a registry, tar:FILE, or this-machine (default: ${DEFAULT-VALUE})")
    String base;

    @Option(
            names = "--registry",
            paramLabel = "PREFIX",
            description =
                    "push the images to HOST[:PORT][/PATH]; without it they are files, loaded into kind or minikube")
    @Nullable
    String registry;

    @Option(
            names = "--size",
            paramLabel = "SIZE",
            defaultValue = ClusterStack.TINY,
            description =
                    "tiny: one node, our own pods; c5-i7i: the production shape on operators (default: ${DEFAULT-VALUE})")
    String size;

    @Mixin
    ProductionOptions production;

    @Override
    public CommandLine commandLine() {
        return StackOptions.of(this, ClusterSettings.NOT_HERE);
    }

    @Override
    public Integer call() {
        if (!SIZES.contains(size)) {
            throw new UserException("there is no size '" + size + "'; there are: " + String.join(", ", SIZES));
        }
        Options given = StackOptions.given(spec.commandLine(), settingsFile);
        Installation installation = Installation.here();
        String named = place.broker().or(() -> given.get("broker")).orElse("");
        if (size.equals(ClusterStack.PRODUCTION)) {
            return production(installation, named, given);
        }
        production.refuse(size);
        StackSettings settings = StackSettings.named("up", named.isEmpty() ? given : given.with("broker", named));
        ClusterSettings.refuse(given);
        String broker = installation.broker(settings);
        checkBroker(installation, broker, settings);
        BaseImage image = BaseImage.of(base);
        try (Cluster cluster = place.connect()) {
            ClusterStack stack = new ClusterStack(cluster, place.namespace(broker), broker);
            stack.refuseOtherSize(size);
            Needs.find(installation, broker).ifPresent(needs -> refuseProduction(stack, needs));
            new ClusterLauncher(
                            installation,
                            stack,
                            runDirectories(installation),
                            spec.commandLine().getOut())
                    .up(
                            settings,
                            new ClusterLauncher.Manner(dryRun, takesConflicts, image, Optional.ofNullable(registry)));
        }
        return Millrace.OK;
    }

    /** What the plugin has against its settings, before anything is made of them: the pods would say so one by one. */
    private static void checkBroker(Installation installation, String broker, StackSettings settings) {
        Options server = StackMemory.ofServer(settings);
        installation.services(broker, Broker.class).forEach(plugin -> {
            plugin.localMemoryBytes(server);
            ClusterSettings.refuseOfServer(plugin, server);
        });
    }

    /** Also without a StatefulSet of it: a small stack on its volumes could be neither brought up nor taken down as what it is. */
    static void refuseProduction(ClusterStack stack, Needs needs) {
        if (ProductionStopper.isThere(stack, needs)) {
            throw stack.inTheWay("what is left of a stack of size " + ClusterStack.PRODUCTION);
        }
    }

    /** The other way round: a small stack's volumes would be the production shape's to take down, and are none of its own. */
    static void refuseTiny(ClusterStack stack) {
        boolean small = OwnedObjects.claims(stack).stream()
                .anyMatch(claim -> !claim.getMetadata().getLabels().containsKey(ClusterStack.SIZE_LABEL));
        if (small) {
            throw stack.inTheWay("what is left of a stack of size " + ClusterStack.TINY);
        }
    }

    private Path runDirectories(Installation installation) {
        return Optional.ofNullable(runDir)
                .map(dir -> dir.toAbsolutePath().normalize())
                .orElseGet(() -> RunDirectory.defaultBase(installation));
    }

    /** The production shape: its settings stand in files, which a person may put his own on top of. */
    private int production(Installation installation, String broker, Options given) {
        List<String> settings = given.asMap().keySet().stream()
                .filter(key -> !List.of("broker", RATE).contains(key))
                .toList();
        if (!settings.isEmpty()) {
            throw new UserException("at size " + ClusterStack.PRODUCTION
                    + " these stand in files, which a kustomization of your own changes"
                    + " (--kustomization DIR, see deploy/kubernetes/" + ClusterStack.PRODUCTION + "/README.md): "
                    + String.join(", ", settings) + "; leave them out");
        }
        if (!installation.brokers().contains(broker)) {
            throw new UserException(
                    "say which broker: --broker BROKER; there are: " + String.join(", ", installation.brokers()));
        }
        Needs.of(installation, broker);
        boolean isNamed = spec.commandLine().getParseResult().hasMatchedOption("--base");
        ProductionLauncher.Manner manner = new ProductionLauncher.Manner(
                dryRun,
                takesConflicts,
                BaseImage.of(isNamed ? base : ProductionLauncher.BASE),
                Optional.ofNullable(registry),
                production.definitions());
        ProductionManifests.Given wanted = production.given(registry != null);
        Optional<SizeOptions> sizing = production.sizing(given.get(RATE));
        Optional<Derivation> derivation = sizing.map(options -> options.derivation(installation, broker));
        PrintWriter out = spec.commandLine().getOut();
        derivation.ifPresent(derived -> out.println(DerivationText.of(
                derived, sizing.get().cost(installation, derived), sizing.get().region())));
        try (Cluster cluster = place.connect()) {
            ClusterStack stack = new ClusterStack(cluster, place.namespace(broker), broker);
            stack.refuseOtherSize(size);
            refuseTiny(stack);
            ProductionLauncher launcher =
                    new ProductionLauncher(installation, stack, runDirectories(installation), out);
            derivation.ifPresentOrElse(
                    derived -> launcher.up(derived, wanted, manner), () -> launcher.up(wanted, manner));
        }
        return Millrace.OK;
    }
}
