package dev.millrace.deploy.command;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.infrastructure.HourlyCost;
import dev.millrace.deploy.infrastructure.KeptBuckets;
import dev.millrace.deploy.infrastructure.Plan;
import dev.millrace.deploy.infrastructure.Terraform;
import dev.millrace.deploy.infrastructure.WantedInfrastructure;
import dev.millrace.deploy.local.Installation;
import dev.millrace.deploy.price.Prices;
import dev.millrace.deploy.sizing.Derivation;
import dev.millrace.deploy.sizing.SizeRequest;
import dev.millrace.deploy.sizing.SizingFile;
import java.io.Console;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** {@code millrace infrastructure}: machines on AWS, what they cost before they are there, and their end. */
@CommandLine.Command(
        name = "infrastructure",
        description = "Plan, make or destroy the machines of a deployment on AWS, by Terraform.",
        synopsisSubcommandLabel = "COMMAND")
public final class InfrastructureCommand implements Command {
    private static final Path CONFIGURATION = Path.of("deploy/infrastructure/aws");
    private static final String BUCKET = "aws_s3_bucket.state";
    /** A person's own variables, beside the state. */
    private static final String OWN = "own.auto.tfvars.json";

    private static final List<String> LASTING = List.of("region", "zones");

    @CommandLine.Spec
    CommandSpec spec;

    @Override
    public Integer call() {
        throw new UserException("say what to do with the infrastructure: plan, apply or destroy");
    }

    /** Where the state is: not in a clone, as what is billed must outlive it. */
    static final class Place {
        @Option(
                names = "--name",
                paramLabel = "NAME",
                defaultValue = "millrace",
                description = "of the cluster and of all that belongs to it (default: ${DEFAULT-VALUE})")
        String name;

        @Option(
                names = "--state-dir",
                paramLabel = "DIR",
                description = "where Terraform's state is kept, in a folder NAME (default: ~/.millrace/infrastructure)")
        @Nullable
        Path stateDir;

        /** A plan without an account never touches the state of one with. */
        Path folder(boolean offline) {
            Path base = stateDir == null
                    ? Path.of(System.getProperty("user.home"), ".millrace", "infrastructure")
                    : stateDir;
            return base.toAbsolutePath().normalize().resolve(offline ? name + ".offline" : name);
        }
    }

    /** What is wanted. */
    static final class Wanted {
        @Option(
                names = "--allow-cidr",
                paramLabel = "CIDR",
                required = true,
                split = ",",
                description = "from where the cluster's API may be reached, such as 203.0.113.7/32; never everybody")
        List<String> allowCidr;

        @Option(
                names = "--region",
                paramLabel = "REGION",
                defaultValue = "us-east-1",
                description = "default: ${DEFAULT-VALUE}")
        String region;

        @Option(
                names = "--zones",
                paramLabel = "ZONE,ZONE",
                split = ",",
                description = "all nodes are in the first; EKS wants a second (default: a and b of the region)")
        List<String> zones = List.of();

        @Option(
                names = "--broker-nodes",
                paramLabel = "N",
                defaultValue = "3",
                description = "default: ${DEFAULT-VALUE}; 6 is the size of the published platform")
        int brokerNodes;

        @Option(
                names = "--job-namespaces",
                paramLabel = "NAME",
                split = ",",
                description = "namespaces whose jobs may use the bucket: those of up --namespace"
                        + " (default: millrace-BROKER of each broker)")
        List<String> jobNamespaces = List.of();

        @Option(
                names = "--rate",
                paramLabel = "N",
                description =
                        "as many nodes for job and generators as so many readings per second take on any broker, by"
                                + " millrace size (default: those of the configuration)")
        @Nullable
        String rate;

        @Option(
                names = "--broker",
                paramLabel = "BROKER",
                description = "with --rate: the only broker that is to carry it (default: each that was measured)")
        @Nullable
        String broker;

        WantedInfrastructure of(Place place, List<Derivation> derivations) {
            WantedInfrastructure wanted = WantedInfrastructure.checked(
                    place.name,
                    region,
                    zones,
                    allowCidr,
                    brokerNodes,
                    Installation.here().brokers(),
                    jobNamespaces);
            // The same machines serve the brokers in turn.
            Map<String, Integer> most = new HashMap<>();
            derivations.forEach(derivation -> {
                most.merge("flink", derivation.taskManagers(), Math::max);
                most.merge("load", derivation.generators(), Math::max);
            });
            return wanted.with(most);
        }

        /** Of each broker that was measured; none without a rate. */
        List<Derivation> derivations() {
            if (rate == null) {
                if (broker != null) {
                    throw new UserException("--broker says which broker is to carry a rate; name --rate too");
                }
                return List.of();
            }
            SizeRequest request =
                    SizeRequest.checked(SizeRequest.SIZE, rate, Integer.toString(brokerNodes), SizeRequest.UTILISATION);
            List<Derivation> derivations =
                    SizingFile.read(Installation.here().root().resolve(SizingFile.PLACE)).brokers().stream()
                            .filter(rates -> broker == null || rates.broker().equals(broker))
                            .map(rates -> Derivation.of(request, rates))
                            .toList();
            if (derivations.isEmpty()) {
                throw new UserException("--rate: no rates were measured"
                        + (broker == null ? "" : " of broker '" + broker + "'") + "; leave it out, or measure: "
                        + SizingFile.HOW);
            }
            return derivations;
        }
    }

    @CommandLine.Command(
            name = "plan",
            description = "Show what would be there and what its machines would cost in an hour. Makes nothing.")
    int plan(
            @Mixin Place place,
            @Mixin Wanted wanted,
            @Option(
                            names = "--offline",
                            description = "without an account: nothing is asked of AWS, so the quota is not checked")
                    boolean offline,
            @Option(names = "--json", description = "one line of JSON") boolean json) {
        List<Derivation> derivations = wanted.derivations();
        WantedInfrastructure what = wanted.of(place, derivations);
        Plan plan;
        try (Terraform terraform = terraform(place, offline, "plan")) {
            plan = terraform.plan(what.variables(offline), LASTING);
            terraform.forgetPlan();
        }
        HourlyCost cost = HourlyCost.of(plan.groups(), what.region(), prices());
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            ObjectNode root = json(plan, cost);
            ArrayNode sizes = root.putArray("sizes");
            derivations.forEach(derivation -> sizes.add(DerivationText.steps(derivation)));
            out.println(root);
        } else {
            derivations.forEach(derivation -> out.print(DerivationText.of(derivation)));
            print(out, plan, cost, what.region());
            out.println(
                    offline
                            ? "The quota of vCPUs was not checked."
                            : "The account's quota of vCPUs is enough for these nodes alone; what else runs is not counted.");
        }
        out.flush();
        return Millrace.OK;
    }

    @CommandLine.Command(
            name = "apply",
            description = "Make what plan shows, after a look at what it costs; the quota is checked first.")
    int apply(
            @Mixin Place place,
            @Mixin Wanted wanted,
            @Option(names = "--fewer", description = "machines that are there may go, with what is on their own disks")
                    boolean fewer,
            @Option(names = "--yes", description = "do not ask") boolean yes) {
        List<Derivation> derivations = wanted.derivations();
        WantedInfrastructure what = wanted.of(place, derivations);
        checkThatSomebodyAnswers(yes, "apply");
        try (Terraform terraform = terraform(place, false, "apply")) {
            apply(terraform, place, what, derivations, fewer, yes);
        }
        return Millrace.OK;
    }

    private void apply(
            Terraform terraform,
            Place place,
            WantedInfrastructure what,
            List<Derivation> derivations,
            boolean fewer,
            boolean yes) {
        Plan plan = terraform.plan(what.variables(false), LASTING);
        PrintWriter out = spec.commandLine().getOut();
        derivations.forEach(derivation -> out.print(DerivationText.of(derivation)));
        print(out, plan, HourlyCost.of(plan.groups(), what.region(), prices()), what.region());
        if (plan.isEmpty()) {
            out.println("Nothing to do.");
            out.flush();
            terraform.forgetPlan();
            return;
        }
        out.flush();
        if (!plan.fewer().isEmpty() && !fewer) {
            terraform.forgetPlan();
            throw new UserException("machines that are there would go, and what is on their own disks with them ("
                    + String.join(", ", plan.fewer())
                    + "): name the numbers that you want, such as --broker-nodes or --rate,"
                    + " which are not remembered, and take back what puts others in their place, such as another"
                    + " launch template or version, or say --fewer");
        }
        confirm(yes, place.name, "make it");
        new StillBilled(place.name, terraform, new KeptBuckets(place.folder(false)), out).whenItFails(terraform::apply);
        out.println("Made. State: " + place.folder(false) + " (keep it: without it nothing can be destroyed).");
        terraform.output("kubeconfig").ifPresent(command -> out.println("Context: " + command));
        out.println("End: millrace infrastructure destroy --name " + place.name);
        out.flush();
    }

    @CommandLine.Command(
            name = "destroy",
            description = "Delete all that apply made, but for the bucket, and say what is still billed.")
    int destroy(
            @Mixin Place place,
            @Option(names = "--data", description = "the bucket with checkpoints and savepoints, too") boolean data,
            @Option(names = "--yes", description = "do not ask") boolean yes) {
        if (!Terraform.hasState(place.folder(false))) {
            throw new UserException("there is no infrastructure '" + place.name + "' in "
                    + place.folder(false).getParent() + "; --name and --state-dir say which, as they did for apply");
        }
        checkThatSomebodyAnswers(yes, "destroy");
        try (Terraform terraform = terraform(place, false, "destroy")) {
            destroy(terraform, place, data, yes);
        }
        return Millrace.OK;
    }

    private void destroy(Terraform terraform, Place place, boolean data, boolean yes) {
        List<String> there = terraform.state();
        PrintWriter out = spec.commandLine().getOut();
        out.println(there.size() + " resources are in the state of '" + place.name + "'"
                + (data ? ", all are deleted with their data." : "; all are deleted but for the bucket."));
        out.println(
                "Volumes that pods asked for stay, and are billed: millrace down --data deletes a stack's, while its cluster is there.");
        out.flush();
        confirm(yes, place.name, "delete it");
        KeptBuckets kept = new KeptBuckets(place.folder(false));
        new StillBilled(place.name, terraform, kept, out).afterwards(() -> {
            if (data && there.contains(BUCKET)) {
                terraform.applyOnly(BUCKET, "keep_data", "false");
            } else if (!data) {
                keepBucket(terraform, there, kept, out);
            }
            terraform.destroy();
        });
    }

    /** Told and remembered at once: when the destroy fails, Terraform knows of no bucket any more. */
    private static void keepBucket(Terraform terraform, List<String> there, KeptBuckets kept, PrintWriter out) {
        List<String> addresses = there.stream()
                .filter(address -> address.startsWith("aws_s3_bucket"))
                .toList();
        if (!addresses.isEmpty()) {
            Optional<String> bucket = terraform.output("state_bucket");
            bucket.ifPresent(kept::add);
            terraform.forget(addresses);
            out.println("Bucket " + bucket.orElse("") + " is kept, and Terraform knows nothing of it any more.");
            out.flush();
        }
    }

    private static void checkThatSomebodyAnswers(boolean yes, String verb) {
        if (!yes && System.console() == null) {
            throw new UserException("nobody is there to be asked, as this is no terminal: millrace infrastructure "
                    + verb + " --yes goes on without");
        }
    }

    private static void confirm(boolean yes, String name, String what) {
        Console console = System.console();
        if (yes || console == null) {
            return;
        }
        String answer = console.readLine("Type '%s' to %s: ", name, what);
        if (!name.equals(answer)) {
            throw new UserException("nothing was done: the answer was not '" + name + "'");
        }
    }

    private Terraform terraform(Place place, boolean offline, String verb) {
        if (!Terraform.isThere()) {
            throw new EnvironmentException(
                    "there is no program 'terraform' on the PATH; infrastructure needs Terraform from 1.11 on");
        }
        Path folder = place.folder(offline);
        PrintWriter err = spec.commandLine().getErr();
        err.println(
                "Terraform is at work in " + folder + "; the first time it fetches its provider (700 MB unpacked).");
        err.flush();
        Terraform terraform = Terraform.in(
                folder,
                Installation.here().root().resolve(CONFIGURATION),
                offline ? WantedInfrastructure.NO_ACCOUNT : Map.of(),
                "millrace infrastructure " + verb);
        if (offline) {
            terraform.takeAlong(place.folder(false).resolve(OWN));
        }
        return terraform;
    }

    private static Prices prices() {
        return Prices.in(Installation.here().root().resolve(Prices.FOLDER));
    }

    private static void print(PrintWriter out, Plan plan, HourlyCost cost, String region) {
        out.print(CostText.of(cost, region));
        if (!plan.billed().isEmpty()) {
            out.println("Billed beside them, and not in that sum for want of a price with a source: "
                    + String.join(", ", plan.billedInWords()) + ".");
        }
        if (!plan.fewer().isEmpty()) {
            out.println("Machines that go, with what is on their own disks: " + String.join(", ", plan.fewer()) + ".");
        }
        out.println("Resources to make: " + plan.toMake() + ", to change: " + plan.toChange() + ", to delete: "
                + plan.toDelete() + ".");
    }

    private static ObjectNode json(Plan plan, HourlyCost cost) {
        ObjectNode root = new ObjectMapper().createObjectNode();
        CostText.into(root, cost);
        ArrayNode billed = root.putArray("billedWithoutPrice");
        plan.billedInWords().forEach(billed::add);
        ArrayNode fewer = root.putArray("fewer");
        plan.fewer().forEach(fewer::add);
        return root.put("toMake", plan.toMake())
                .put("toChange", plan.toChange())
                .put("toDelete", plan.toDelete());
    }
}
