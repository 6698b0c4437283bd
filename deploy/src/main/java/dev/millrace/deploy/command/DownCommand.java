package dev.millrace.deploy.command;

import dev.millrace.connectors.api.broker.Capability;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.local.Installation;
import dev.millrace.deploy.local.RunDirectories;
import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.deploy.local.StackSettings;
import dev.millrace.deploy.local.lifecycle.StackStopper;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** {@code millrace down}. */
@CommandLine.Command(name = "down", description = "Stop a stack and delete its data; its logs stay.")
public final class DownCommand implements Command {
    @CommandLine.Spec
    CommandSpec spec;

    @CommandLine.Mixin
    Selection selection;

    @Option(names = "--keep-data", description = "keep the data, so that the next up goes on where this one stopped")
    boolean keepData;

    @Option(names = "--all", description = "every stack")
    boolean all;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        if (all && selection.broker().isPresent()) {
            throw new UserException("--all and --broker exclude each other; name one");
        }
        List<RunDirectory> chosen = chosen();
        List<String> unseen = unseen(chosen);
        if (chosen.isEmpty() && unseen.isEmpty()) {
            out.println("There is no stack"
                    + selection.broker().map(b -> " of " + b).orElse("") + " below " + selection.base()
                    + "; nothing to do.");
        }
        if (keepData) {
            chosen.forEach(DownCommand::checkThatDataCanBeKept);
        }
        RuntimeException failure = null;
        for (RunDirectory directory : chosen) {
            try {
                down(directory, out);
            } catch (UserException | EnvironmentException e) {
                // The others go down all the same.
                if (failure != null) {
                    out.println(failure.getMessage());
                }
                failure = e;
            }
        }
        for (String why : unseen) {
            if (failure != null) {
                out.println(failure.getMessage());
            }
            failure = new EnvironmentException(why);
        }
        if (failure != null) {
            throw failure;
        }
        return Millrace.OK;
    }

    private void down(RunDirectory directory, PrintWriter out) {
        String foreign = settings(directory)
                .map(settings -> foreign(settings) + foreignStore(settings))
                .orElse("");
        boolean ran = new StackStopper(directory).down(keepData);
        out.println("The stack of " + directory.broker() + (ran ? " is down; " : " did not run; ")
                + (keepData ? kept(directory) : "its data are deleted, its logs are in " + directory.logs() + ".")
                + foreign);
        out.flush();
    }

    private static String kept(RunDirectory directory) {
        return Files.exists(directory.deletingMark())
                ? "an earlier down had begun to delete its data, and what is left of them goes with the next up or down."
                : "its data are kept: up goes on from the last checkpoint.";
    }

    /** Empty also where another version of this clone wrote them: to stop processes takes none. */
    private static Optional<StackSettings> settings(RunDirectory directory) {
        try {
            return directory.settings();
        } catch (UserException e) {
            return Optional.empty();
        }
    }

    private String foreign(StackSettings stack) {
        return Optional.of(stack)
                .filter(StackSettings::isForeignBroker)
                .map(settings -> " The broker at " + settings.text("address") + " is your own and was not touched"
                        + (keepData ? "." : ", but for this stack's topics, which are removed."))
                .orElse("");
    }

    private String foreignStore(StackSettings stack) {
        return Optional.of(stack)
                .filter(StackSettings::isForeignStore)
                .map(settings -> " The store at " + settings.text("store-url") + " is your own and was not touched"
                        + (!keepData && settings.ownsStoreDatabase()
                                ? ", but for this stack's database, which is dropped."
                                : "; the rows are in its database " + settings.text("store-database") + "."))
                .orElse("");
    }

    private static void checkThatDataCanBeKept(RunDirectory directory) {
        String broker = directory.broker();
        if (settings(directory).filter(StackSettings::isForeignBroker).isPresent()) {
            return;
        }
        if (!Installation.of(directory).load(broker).capabilities().contains(Capability.SURVIVES_KILL)) {
            throw new UserException(
                    "broker '" + broker + "' keeps readings in its process only, so that its data cannot be"
                            + " kept; leave --keep-data out");
        }
    }

    /** A misspelt name is no stack that is down already: the one that was meant would run on. */
    private void checkThatItCanBe(String broker, List<RunDirectory> there) {
        if (!Files.isDirectory(selection.base().resolve(broker))) {
            Installation.here()
                    .requireKnown(
                            broker, there.stream().map(RunDirectory::broker).toList());
        }
    }

    /** A sentence for each folder where there may be more of what was asked for. */
    private List<String> unseen(List<RunDirectory> chosen) {
        if (selection.broker().isPresent() || !all && !chosen.isEmpty()) {
            return List.of();
        }
        return RunDirectories.unseen(selection.base()).stream()
                .filter(directory -> !chosen.contains(directory))
                .flatMap(directory -> RunDirectories.whyUnseen(directory).stream())
                .toList();
    }

    private List<RunDirectory> chosen() {
        List<RunDirectory> there = RunDirectories.all(selection.base());
        if (selection.broker().isPresent()) {
            String broker = selection.broker().get();
            RunDirectories.requireSeen(selection.base(), broker);
            checkThatItCanBe(broker, there);
            return there.stream()
                    .filter(directory -> directory.broker().equals(broker))
                    .toList();
        }
        if (all || there.size() <= 1) {
            return there;
        }
        List<RunDirectory> running = RunDirectories.running(selection.base());
        if (running.size() == 1) {
            return running;
        }
        throw new UserException("more than one stack is there: "
                + String.join(", ", there.stream().map(RunDirectory::broker).toList())
                + "; say which one with --broker, or --all");
    }
}
