package dev.millrace.perf;

import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.command.Command;
import dev.millrace.deploy.command.Millrace;
import dev.millrace.deploy.local.Installation;
import dev.millrace.deploy.sizing.MeasuredRates;
import dev.millrace.deploy.sizing.SizingFile;
import dev.millrace.perf.result.ResultFile;
import dev.millrace.perf.result.ResultJson;
import dev.millrace.perf.sizing.ResultRates;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code millrace rates}: rates per core out of results, for {@code millrace size}. */
@CommandLine.Command(
        name = "rates",
        description = {
            "Take readings per second and core out of results of millrace benchmark --scenario sizing, and write them to",
            "deploy/sizing.yaml in place of what is there of the same brokers. millrace size derives from that file."
        },
        footer = {
            "",
            "Taken are medians of VALID runs. A result that was interrupted or lacks runs, has a broker without a VALID run or",
            "without CPU figures, or does not say what was sent or on what machine, is refused, and nothing is written.",
            "Exit code 0: written. 2: the input is wrong. 3: a file cannot be read or written."
        })
public final class RatesCommand implements Command {
    @CommandLine.Spec
    CommandLine.Model.CommandSpec spec;

    @Parameters(paramLabel = "RESULT", arity = "1..*", description = "a result's folder, or its result.json")
    List<Path> results;

    @Option(names = "--to", paramLabel = "FILE", description = "another file (default: deploy/sizing.yaml)")
    @Nullable
    Path to;

    @Override
    public Integer call() {
        Map<String, MeasuredRates> found = new TreeMap<>();
        List<String> problems = new ArrayList<>();
        for (Path result : results) {
            try {
                for (MeasuredRates rates : ResultRates.of(ResultJson.read(ResultFile.in(result)), result.toString())) {
                    MeasuredRates other = found.putIfAbsent(rates.broker(), rates);
                    if (other != null) {
                        problems.add(result + ": " + rates.broker() + " is in "
                                + other.measured().result() + " too; name one result of each broker");
                    }
                }
            } catch (UserException e) {
                problems.add(e.getMessage());
            }
        }
        if (!problems.isEmpty()) {
            throw new UserException(String.join("\n", problems));
        }
        Path file = to == null ? Installation.here().root().resolve(SizingFile.PLACE) : to.toAbsolutePath();
        SizingFile.read(file).with(List.copyOf(found.values())).write(file);
        PrintWriter out = spec.commandLine().getOut();
        found.values()
                .forEach(rates -> out.printf(
                        Locale.ROOT,
                        "%s: readings/s per core: generator %,d, broker %,d, job %,d%n",
                        rates.broker(),
                        rates.readingsPerSecondPerCore().generator(),
                        rates.readingsPerSecondPerCore().broker(),
                        rates.readingsPerSecondPerCore().job()));
        out.println(file);
        out.flush();
        return Millrace.OK;
    }
}
