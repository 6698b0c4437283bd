package dev.millrace.deploy.command;

import java.util.concurrent.Callable;
import picocli.CommandLine;

/**
 * A sub-command of {@code millrace}; found by {@link java.util.ServiceLoader}, so that modules that deploy does not know can
 * add theirs. An implementation carries picocli's annotations; {@code --help} and {@code --verbose} are added to it.
 *
 * @implSpec {@code call} gives the exit code; failures are thrown (UserException 2, EnvironmentException 3, others 1).
 */
public interface Command extends Callable<Integer> {

    /** How picocli sees it; override to add options that are not known before run time. */
    default CommandLine commandLine() {
        return new CommandLine(this);
    }
}
