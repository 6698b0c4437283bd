package dev.millrace.deploy.command;

import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.Suggestion;
import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.local.Installation;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.UnmatchedArgumentException;

/** The root of the command line, and the one place that turns failures into a sentence and an exit code. */
@CommandLine.Command(
        name = "millrace",
        description = "One Flink job on pluggable brokers, audited. Start with: millrace up --broker BROKER",
        synopsisSubcommandLabel = "COMMAND",
        versionProvider = Version.class,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:all is well",
            "1:millrace's own fault; for audit: a difference; for lint: a finding; for benchmark: a broker without a VALID run, or an"
                    + " audit that is not equal",
            "2:the input is wrong; the sentence says what would be right",
            "3:the machine or a server does not allow it",
            "4:compare --fail-on-regression: there is a regression (2: it cannot be told)",
            "130:Ctrl-C ended it (143: SIGTERM); a benchmark keeps what it has measured"
        })
public final class Millrace implements Callable<Integer> {
    /** Exit codes: all is well, our own fault, the person's input, the machine or a server. */
    public static final int OK = 0;

    private static final String TARGET = "--target";
    private static final String LOCAL = "local";
    /** The one of them that other targets may have too. */
    private static final String BENCHMARK = "benchmark";
    /** Commands of other modules, and which one: there only when it is built. */
    private static final Map<String, String> ELSEWHERE = Map.of(
            BENCHMARK, "perf", "compare", "perf", "rates", "perf", "report", "perf", "images", "deploy/kubernetes");
    /** Those that may be built. */
    private static final List<String> TARGETS = List.of("kubernetes", LOCAL);

    public static final int OWN_FAULT = 1;
    public static final int USER_ERROR = 2;
    public static final int ENVIRONMENT_ERROR = 3;

    @CommandLine.Spec
    CommandLine.Model.CommandSpec spec;

    @CommandLine.Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            description = "show this help")
    boolean help;

    @CommandLine.Option(
            names = {"-V", "--version"},
            versionHelp = true,
            description = "show which build this is and what it stands on")
    boolean version;

    @CommandLine.Option(names = "--verbose", scope = ScopeType.INHERIT, description = "show stack traces of failures")
    boolean verbose;

    @CommandLine.Option(
            names = "--target",
            paramLabel = "TARGET",
            scope = ScopeType.INHERIT,
            description =
                    "where stacks live: local (this machine, the default) or kubernetes, which has options of its own"
                            + " (millrace up --target kubernetes --help)")
    @Nullable
    String target;

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return USER_ERROR;
    }

    public static void main(String[] arguments) {
        StandardOutput output = StandardOutput.take();
        int code = run(arguments);
        Optional<String> lost = output.lost();
        lost.ifPresent(why -> System.err.println("millrace: cannot write to standard output: " + why));
        System.exit(code == OK && lost.isPresent() ? ENVIRONMENT_ERROR : code);
    }

    /** Runs one command in this process and gives its exit code. */
    public static int run(String... arguments) {
        return run(System.out, arguments);
    }

    /** The same for a command that has something else to say on its standard output. */
    public static int run(PrintStream out, String... arguments) {
        try {
            String target = targetOf(arguments);
            // Picocli's own writer hides from a command that goes on and on that nobody reads it any more.
            return commandLine(commands(target), target, failure -> explained(failure, target))
                    .setOut(new PrintWriter(out, true))
                    .execute(arguments);
        } catch (UserException e) {
            // Without a target there is no command line that could say it.
            System.err.println("millrace: " + e.getMessage());
            return USER_ERROR;
        }
    }

    /** The whole command line of this machine. */
    public static CommandLine commandLine() {
        return commandLine(commands(LOCAL), LOCAL, failure -> failure);
    }

    /** The last one that is named, as with every option; what is no target is refused here, before anything is parsed. */
    private static String targetOf(String[] arguments) {
        String named = LOCAL;
        for (int i = 0; i < arguments.length; i++) {
            if (arguments[i].startsWith(TARGET + "=")) {
                named = arguments[i].substring(TARGET.length() + 1);
            } else if (arguments[i].equals(TARGET) && i + 1 < arguments.length) {
                named = arguments[i + 1];
            }
        }
        return named;
    }

    private static List<Command> commands(String target) {
        ClassLoader classes = Millrace.class.getClassLoader();
        List<Command> commands = new ArrayList<>();
        if (target.equals(LOCAL)) {
            ServiceLoader.load(Command.class, classes).forEach(commands::add);
            return commands;
        }
        if (!TARGETS.contains(target)) {
            throw new UserException("there is no target '" + target + "'"
                    + Suggestion.didYouMean(target, TARGETS)
                    + "; there are: " + String.join(", ", TARGETS));
        }
        for (Target one : ServiceLoader.load(Target.class, classes)) {
            if (one.name().equals(target)) {
                commands.addAll(one.commands());
            }
        }
        if (!commands.isEmpty()) {
            return commands;
        }
        throw new UserException("the target '" + target + "' is not built; build it: "
                + Installation.here()
                        .buildCommand("deploy/" + target)
                        .replace("mvn ", "mvn -Dmillrace.target=" + target + " "));
    }

    /** The root with some sub-commands, sorted by name. */
    private static CommandLine commandLine(List<Command> commands, String target, UnaryOperator<Exception> explained) {
        Millrace root = new Millrace();
        CommandLine line = new CommandLine(root);
        commands.stream()
                .map(Command::commandLine)
                .sorted(java.util.Comparator.comparing(CommandLine::getCommandName))
                .forEach(command -> line.addSubcommand(command.getCommandName(), command));
        line.setCaseInsensitiveEnumValuesAllowed(false);
        line.setUsageHelpAutoWidth(true);
        line.setUnmatchedOptionsArePositionalParams(false);
        line.setParameterExceptionHandler((exception, arguments) -> root.report(
                exception.getCommandLine().getErr(), new UserException(sentence(exception, target), exception)));
        line.setExecutionExceptionHandler(
                (exception, command, result) -> root.report(command.getErr(), explained.apply(exception)));
        return line;
    }

    private static Exception explained(Exception failure, String target) {
        if (exitCode(failure) != OWN_FAULT) {
            return failure;
        }
        for (Target one : ServiceLoader.load(Target.class, Millrace.class.getClassLoader())) {
            Optional<String> sentence = one.name().equals(target) ? one.sentence(failure) : Optional.empty();
            if (sentence.isPresent()) {
                return new EnvironmentException(sentence.get(), failure);
            }
        }
        return failure;
    }

    private int report(PrintWriter err, Exception exception) {
        int code = exitCode(exception);
        err.println("millrace: "
                + (code == OWN_FAULT
                        ? "internal error: " + exception + " (more with --verbose)"
                        : exception.getMessage()));
        if (verbose) {
            exception.printStackTrace(err);
        }
        err.flush();
        return code;
    }

    /** What a failure means for whoever started the command. */
    public static int exitCode(Throwable failure) {
        if (failure instanceof UserException) {
            return USER_ERROR;
        }
        return failure instanceof EnvironmentException ? ENVIRONMENT_ERROR : OWN_FAULT;
    }

    private static String sentence(ParameterException exception, String target) {
        CommandLine line = exception.getCommandLine();
        String help = "; see " + line.getCommandSpec().qualifiedName() + " --help";
        if (!(exception instanceof UnmatchedArgumentException unmatched)) {
            return exception.getMessage() + help;
        }
        String word = unmatched.getUnmatched().get(0);
        boolean option = word.startsWith("-");
        String name = option ? word.replaceFirst("=.*", "") : word;
        if (!option && !line.getSubcommands().isEmpty() && ELSEWHERE.containsKey(name)) {
            boolean here = target.equals(LOCAL);
            if (!here && !BENCHMARK.equals(name)) {
                return "command '" + name + "' is of this machine; leave " + TARGET + " out";
            }
            return "command '" + name + "' is not built yet; build it: "
                    + Installation.here().buildCommand(ELSEWHERE.get(name) + (here ? "" : "/" + target));
        }
        String what = option ? "option" : line.getSubcommands().isEmpty() ? "argument" : "command";
        return "unknown " + what + " '" + name + "'"
                + Suggestion.didYouMean(
                        name,
                        option
                                ? line.getCommandSpec().optionsMap().keySet()
                                : line.getSubcommands().keySet())
                + help;
    }
}
