package dev.millrace.deploy.local.supervisor;

import dev.millrace.connectors.api.local.ServerProcess;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.deploy.local.Installation;
import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.deploy.local.Site;
import dev.millrace.deploy.local.StackFile;
import dev.millrace.deploy.local.StackState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Starts a stack's supervisor as a process of its own. */
public final class SupervisorProcess {
    private SupervisorProcess() {}

    /** Starts one that brings about what the stack's file says; processes that are alive and as wanted are taken over. */
    public static ServerProcess start(Installation installation, RunDirectory directory, StackFile stack) {
        Site site = new StackPorts(directory, stack.settings());
        StackFiles files = new StackFiles(
                installation,
                directory.jobJar(stack, installation),
                directory.plugin(stack, installation),
                directory,
                stack.settings(),
                site);
        forgetLastState(directory);
        directory.stopping(false);
        return ServerProcess.start(
                StackState.SUPERVISOR, directory.supervisorFolder(), detached(files.supervisor()), Map.of());
    }

    /** A failure of an earlier start must not be taken for one of this start. */
    private static void forgetLastState(RunDirectory directory) {
        try {
            Files.deleteIfExists(directory.endpointsFile());
        } catch (IOException e) {
            throw new EnvironmentException("cannot write in " + directory.path() + ": " + e.getMessage(), e);
        }
    }

    /** A session of its own: closing the terminal does not reach the stack, nor does Ctrl-C. */
    private static List<String> detached(List<String> command) {
        List<String> all = new ArrayList<>();
        if (Files.isExecutable(Path.of("/usr/bin/setsid")) || Files.isExecutable(Path.of("/bin/setsid"))) {
            all.add("setsid");
        } else {
            all.addAll(List.of("perl", "-e", "use POSIX; POSIX::setsid(); exec { $ARGV[0] } @ARGV or die $!"));
        }
        all.addAll(command);
        return all;
    }
}
