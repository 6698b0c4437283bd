package dev.millrace.deploy.command;

import java.util.List;
import java.util.Optional;

/**
 * A place other than this machine where stacks live; found by {@link java.util.ServiceLoader}, so that what it needs is only there
 * where it is built. {@code --target NAME} chooses it, and then its commands are those of the command line.
 */
public interface Target {

    /** What people type behind {@code --target}. */
    String name();

    /** What a failure says that is one of the place and not of this program, such as a connection that broke; empty for any other. */
    default Optional<String> sentence(Exception failure) {
        return Optional.empty();
    }

    /** Its verbs, named as those of this machine where they do the same. */
    List<Command> commands();
}
