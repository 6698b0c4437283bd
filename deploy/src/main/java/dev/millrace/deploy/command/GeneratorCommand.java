package dev.millrace.deploy.command;

import dev.millrace.core.generate.Schedule;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.deploy.local.StackState;
import dev.millrace.deploy.look.GeneratorClient;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;

/** {@code millrace generator}: the load of a running stack. */
@CommandLine.Command(
        name = "generator",
        description = "Pause the generator, let it go on, or change its rate.",
        synopsisSubcommandLabel = "COMMAND")
public final class GeneratorCommand implements Command {
    @CommandLine.Spec
    CommandSpec spec;

    @Override
    public Integer call() {
        throw new UserException("say what the generator should do: pause, resume or rate N");
    }

    @CommandLine.Command(name = "pause", description = "Send nothing until resume. The schedule stands still.")
    int pause(@Mixin Selection selection) {
        generator(selection.stack()).pause();
        return say("the generator is paused; 'millrace generator resume' goes on");
    }

    @CommandLine.Command(name = "resume", description = "Go on sending.")
    int resume(@Mixin Selection selection) {
        generator(selection.stack()).resume();
        return say("the generator goes on");
    }

    @CommandLine.Command(name = "rate", description = "Change the rate from now on.")
    int rate(
            @Mixin Selection selection,
            @Parameters(paramLabel = "N", description = "readings per second, all devices together") long rate) {
        if (rate < 1 || rate > Schedule.MAX_RATE) {
            throw new UserException("the rate is " + rate + "; it must be from 1 to " + Schedule.MAX_RATE
                    + " readings per second ('millrace generator pause' stops it)");
        }
        generator(selection.stack()).rate(rate);
        return say("the generator sends " + rate + " readings per second from now on");
    }

    private int say(String sentence) {
        spec.commandLine().getOut().println(sentence);
        spec.commandLine().getOut().flush();
        return Millrace.OK;
    }

    private static GeneratorClient generator(RunDirectory directory) {
        String url = directory
                .state()
                .map(state -> state.part(StackState.GENERATOR).url())
                .orElse("");
        if (url.isEmpty()) {
            throw new EnvironmentException("the generator of stack '" + directory.broker()
                    + "' is not up; 'millrace status' shows how far the stack is");
        }
        return new GeneratorClient(url);
    }
}
