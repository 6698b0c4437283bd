package dev.millrace.perf.backlog;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.look.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** {@code millrace benchmark backlog}. */
@CommandLine.Command(
        name = "backlog",
        description = {
            "Fill a topic with N readings, stop the generator, drain it with the job; repeat with fresh data each time.",
            "Every drain is audited; one that is not equal makes the command fail."
        })
public final class BacklogCommand implements Callable<Integer> {
    private static final int AUDIT_FAILED = 1;

    @CommandLine.Spec
    CommandLine.Model.CommandSpec spec;

    @Option(
            names = "--broker",
            required = true,
            paramLabel = "BROKER",
            split = ",",
            description = "one or more brokers")
    List<String> brokers = List.of();

    @Option(names = "--readings", paramLabel = "N", defaultValue = "3000000", description = "default: ${DEFAULT-VALUE}")
    long readings;

    @Option(names = "--devices", paramLabel = "N", defaultValue = "1000", description = "default: ${DEFAULT-VALUE}")
    long devices;

    @Option(names = "--repeats", paramLabel = "N", defaultValue = "3", description = "default: ${DEFAULT-VALUE}")
    int repeats;

    @Option(
            names = "--up",
            paramLabel = "KEY=VALUE",
            description = "any other option of `millrace up`, for every broker alike; may be repeated")
    List<String> upOptions = List.of();

    @Option(
            names = "--run-dir",
            paramLabel = "DIR",
            description = "where the stacks keep their data while they are measured (default: .millrace/benchmark)")
    Path runDir;

    @Option(names = "--json", description = "print every drain as one JSON document")
    boolean json;

    @Override
    public Integer call() throws IOException {
        check();
        List<Drain> drains = new ArrayList<>();
        for (int round = 1; round <= repeats; round++) {
            for (String broker : brokers) {
                progress(String.format(Locale.ROOT, "round %d of %d: %s", round, repeats, broker));
                Drain drain = new DrainRun(broker, readings, devices, upOptions, runDir, this::progress).run(round);
                drains.add(drain);
                progress("  " + drain.sentence());
            }
        }
        if (json) {
            spec.commandLine().getOut().println(new ObjectMapper().writeValueAsString(drains));
        } else {
            print(drains);
        }
        return drains.stream().allMatch(Drain::auditEqual) ? 0 : AUDIT_FAILED;
    }

    private void check() {
        if (repeats < 1 || repeats > 100) {
            throw new UserException("--repeats is " + repeats + "; it must be from 1 to 100");
        }
        if (readings < 100_000) {
            throw new UserException(
                    "--readings is " + readings + "; it must be at least 100000, or only the start is" + " measured");
        }
        for (String option : upOptions) {
            if (option.indexOf('=') < 1) {
                throw new UserException("--up is '" + option + "'; it must be KEY=VALUE");
            }
        }
    }

    private void progress(String line) {
        spec.commandLine().getErr().println(line);
        spec.commandLine().getErr().flush();
    }

    private void print(List<Drain> drains) {
        Table table = new Table(
                "broker",
                "drains",
                "audit",
                "readings/s median",
                "least",
                "most",
                "job cpu s/M",
                "broker cpu s/M",
                "last row s");
        for (String broker : brokers) {
            List<Drain> own =
                    drains.stream().filter(d -> d.broker().equals(broker)).toList();
            table.row(
                    broker,
                    own.size(),
                    own.stream().allMatch(Drain::auditEqual) ? "equal" : "DIFFERENT",
                    whole(median(own, Drain::rateReadingsPerSecond)),
                    whole(own.stream()
                            .mapToDouble(Drain::rateReadingsPerSecond)
                            .min()
                            .orElse(0)),
                    whole(own.stream()
                            .mapToDouble(Drain::rateReadingsPerSecond)
                            .max()
                            .orElse(0)),
                    decimal(median(own, Drain::jobCpuSecondsPerMillion)),
                    decimal(median(own, Drain::brokerCpuSecondsPerMillion)),
                    decimal(median(own, Drain::secondsToLastRow)));
        }
        spec.commandLine().getOut().print(table);
        spec.commandLine()
                .getOut()
                .println("The rate is over the middle 80 % of readings as the job counted them; one machine, shared by"
                        + " broker, job and store: compare ratios, not machines.");
    }

    /** The middle value; of an even number the mean of the two in the middle. */
    static double median(List<Drain> drains, ToDoubleFunction<Drain> figure) {
        double[] sorted = drains.stream().mapToDouble(figure).sorted().toArray();
        int half = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
    }

    private static String whole(double value) {
        return String.format(Locale.ROOT, "%,.0f", value);
    }

    private static String decimal(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }
}
