package dev.millrace.deploy.local.lifecycle;

import dev.millrace.connectors.api.broker.Capability;
import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.local.Build;
import dev.millrace.deploy.local.Reach;
import dev.millrace.deploy.local.StackFile;
import dev.millrace.deploy.local.StackSettings;
import dev.millrace.deploy.local.StackSettings.Difference;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What lies between a stack that is there and the one that is asked for.
 *
 * @param here what runs, or was kept
 * @param there what is asked for
 */
record StackPlan(StackFile here, StackFile there, List<Difference> differences) {

    /** @param build that is asked for */
    static StackPlan of(StackFile here, StackSettings asked, Build build, boolean dropState) {
        List<Difference> differences = here.settings().differences(asked);
        boolean drops = dropState && differences.stream().anyMatch(difference -> difference.reach() == Reach.STATE);
        long stateNumber = here.stateNumber() + (drops ? 1 : 0);
        return new StackPlan(here, new StackFile(asked, build, stateNumber), differences);
    }

    boolean isEmpty() {
        return differences.isEmpty() && !changesBuild();
    }

    /** Whether the job's processes are to be others. */
    boolean touchesJob() {
        return changesBuild()
                || differences.stream()
                        .anyMatch(difference -> difference.reach().touchesJob());
    }

    boolean dropsState() {
        return there.stateNumber() > here.stateNumber();
    }

    private boolean changesBuild() {
        return !here.build().equals(there.build());
    }

    /** Each difference and what it does, in words. */
    List<String> lines() {
        Stream<String> settings = differences.stream()
                .map(difference -> difference + " (" + difference.reach().effect() + ")");
        Stream<String> builds = Stream.of(
                        line("job jar", here.build().jobJar(), there.build().jobJar(), Reach.JOB.effect()),
                        line(
                                "plugin",
                                here.build().plugin(),
                                there.build().plugin(),
                                Reach.JOB.effect() + ", and " + Reach.GENERATOR.effect()))
                .flatMap(Optional::stream);
        return Stream.concat(settings, builds).toList();
    }

    private static Optional<String> line(String what, String here, String there, String effect) {
        return here.equals(there)
                ? Optional.empty()
                : Optional.of(what + ": " + brief(here) + " -> " + brief(there) + " (" + effect + ")");
    }

    private static String brief(String sha256) {
        return sha256.isEmpty() ? "(not known)" : sha256.substring(0, Math.min(12, sha256.length()));
    }

    /** Throws UserException with a sentence for every difference that cannot be had in this way. */
    void check(Set<Capability> broker) {
        if (isEmpty()) {
            return;
        }
        String down = "millrace down --broker " + here.settings().broker() + ", then the same up";
        List<String> problems = new ArrayList<>();
        if (here.settings().isBounded()) {
            problems.add("a bounded run (readings: " + here.settings().boundedReadings() + ") is not changed: " + down);
        } else {
            differences.forEach(difference -> problem(difference, broker, down, problems));
        }
        if (!problems.isEmpty()) {
            throw new UserException("the stack of broker '" + here.settings().broker()
                    + "' is there with something else and stays as it is (there -> asked): "
                    + String.join("; ", problems));
        }
    }

    private void problem(Difference difference, Set<Capability> broker, String down, List<String> problems) {
        switch (difference.reach()) {
            case READINGS ->
                problems.add(
                        difference + ": readings that are sent, their ledger or their topic were made with it, so it"
                                + " takes a stack without data: " + down);
            case STATE -> {
                if (here.settings().isForeignStore() && !here.settings().ownsStoreDatabase()) {
                    problems.add(difference + ": rows that were made with it are in database '"
                            + here.settings().text("store-database")
                            + "' of your store, which is not dropped here: " + down + " with another --store-database");
                } else if (!dropsState()) {
                    problems.add(
                            difference + ": open windows and stored rows were made with it. With --drop-state (Maven:"
                                    + " -Dmillrace.drop-state=true) both are dropped, and the job reads again all readings that"
                                    + " the broker still keeps");
                }
            }
            case PARTITIONS -> {
                if (there.settings().partitions() < here.settings().partitions()) {
                    problems.add(difference + ": partitions hold readings and cannot be taken away: " + down);
                } else if (!broker.contains(Capability.ADDS_PARTITIONS)) {
                    problems.add(difference + ": this broker cannot add partitions to a topic that is there ("
                            + Capability.ADDS_PARTITIONS + "): " + down);
                }
            }
            case BROKER -> {
                if (!broker.contains(Capability.SURVIVES_KILL)
                        && !here.settings().isForeignBroker()) {
                    problems.add(difference + ": this broker keeps readings in its process only, so that a start would"
                            + " lose them: " + down);
                }
            }
            default -> {}
        }
    }
}
