package dev.millrace.deploy.command;

import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.local.Installation;
import dev.millrace.deploy.local.RunDirectories;
import dev.millrace.deploy.local.RunDirectory;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Picocli mixin: which stack a command acts on. */
public final class Selection {
    @Option(
            names = "--broker",
            paramLabel = "BROKER",
            description = "the stack of this broker (default: the only one that runs)")
    @Nullable
    String broker;

    @Option(
            names = "--run-dir",
            paramLabel = "DIR",
            description = "where run directories are (default: .millrace in the clone)")
    @Nullable
    Path runDir;

    /** The broker that was named; an empty name is a UserException: a script's variable that is not set is no wish. */
    public Optional<String> broker() {
        if (broker != null && (broker.isEmpty() || broker.startsWith(".") || broker.contains("/"))) {
            throw new UserException("--broker is '" + broker + "', which is no broker's name");
        }
        return Optional.ofNullable(broker);
    }

    /** Where run directories are. */
    public Path base() {
        return base(runDir);
    }

    static Path base(@Nullable Path runDir) {
        if (runDir != null && runDir.toString().isEmpty()) {
            throw new UserException("--run-dir is empty; name a folder, or leave it out");
        }
        return runDir != null ? runDir.toAbsolutePath().normalize() : RunDirectory.defaultBase(Installation.here());
    }

    /** The stack that is meant; none or more than one is a UserException that lists them. */
    public RunDirectory stack() {
        return RunDirectories.theOne(base(), broker());
    }
}
