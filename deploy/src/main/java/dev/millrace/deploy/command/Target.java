package dev.millrace.deploy.command;

import java.util.List;

/**
 * A place other than this machine where stacks live; found by {@link java.util.ServiceLoader}, so that what it needs is only there
 * where it is built. {@code --target NAME} chooses it, and then its commands are those of the command line.
 */
public interface Target {

    /** What people type behind {@code --target}. */
    String name();

    /** Its verbs, named as those of this machine where they do the same. */
    List<Command> commands();
}
