package dev.millrace.deploy.command;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.connectors.api.lint.Finding;
import dev.millrace.connectors.api.lint.SettingsKind;
import dev.millrace.connectors.api.lint.Verdict;
import dev.millrace.deploy.lint.Kinds;
import dev.millrace.deploy.lint.SettingsFile;
import dev.millrace.deploy.local.Installation;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code millrace lint}: a person's settings files against the versions in use. */
@CommandLine.Command(
        name = "lint",
        description = {
            "Check settings files against the versions that this clone uses: settings that do not exist, are called otherwise,"
                    + " have no effect, do harm, or have a value that is refused.",
            "Checked are the files of servers and clients for which a built plugin has a kind, and Flink's own."
                    + " In objects of Kubernetes operators and values of charts the settings that servers get of them are checked, and"
                    + " nothing else. Not checked: names of metrics."
        },
        footer = {
            "",
            "Exit code 0: nothing found, or only advice. 1: a finding. A setting with its default value asks for nothing and is"
                    + " passed over."
        })
public final class LintCommand implements Command {
    @CommandLine.Spec
    CommandLine.Model.CommandSpec spec;

    @Option(
            names = "--kind",
            paramLabel = "KIND",
            description = "what the files are (default: by their names, else by what they set)")
    @Nullable
    String kind;

    @Option(names = "--notes", description = "also what is known of settings that are right")
    boolean notes;

    @Option(names = "--json", description = "one line of JSON")
    boolean json;

    @Option(
            names = "--plugin-dir",
            paramLabel = "DIR",
            description = "and the kinds of the plugin in this folder of jars")
    @Nullable
    Path pluginDir;

    @Parameters(paramLabel = "FILE", arity = "1..*", description = "settings files")
    List<Path> files;

    @Override
    public Integer call() {
        Kinds kinds = Kinds.of(Installation.here().with(Optional.ofNullable(pluginDir)), Optional.ofNullable(kind));
        // All of them are read before anything is printed: a file that is not there is noticed at once.
        List<SettingsFile> read = files.stream()
                .flatMap(file -> SettingsFile.read(file, kinds).stream())
                .toList();
        List<SettingsFile.Checked> checked = new ArrayList<>();
        read.forEach(file -> checked.add(file.check()));
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(json(checked));
        } else {
            checked.forEach(file -> print(out, file));
            out.println(summary(checked));
        }
        out.flush();
        return fails(checked) == 0 ? Millrace.OK : Millrace.OWN_FAULT;
    }

    private List<Finding> shown(SettingsFile.Checked file) {
        return file.findings().stream()
                .filter(finding -> notes || finding.verdict() != Verdict.NOTE)
                .toList();
    }

    private void print(PrintWriter out, SettingsFile.Checked checked) {
        for (Finding finding : shown(checked)) {
            out.println(checked.file().path() + ":" + finding.line() + " " + finding.key() + ": "
                    + finding.verdict().word() + ": " + finding.sentence());
        }
    }

    private static long fails(List<SettingsFile.Checked> checked) {
        return checked.stream()
                .flatMap(file -> file.findings().stream())
                .filter(finding -> finding.verdict().fails())
                .count();
    }

    private String summary(List<SettingsFile.Checked> checked) {
        List<String> parts = new ArrayList<>();
        for (SettingsFile.Checked file : checked) {
            parts.add(file.file().path() + " (" + file.file().kind().name() + ", " + file.of() + ")");
        }
        long settings = checked.stream()
                .mapToLong(file -> file.file().settings().size())
                .sum();
        long fails = fails(checked);
        long others = checked.stream().mapToLong(file -> shown(file).size()).sum() - fails;
        return String.join(", ", parts) + ": " + settings + (settings == 1 ? " setting, " : " settings, ")
                + (fails == 0 ? "nothing" : fails) + " to mend" + (others == 0 ? "" : ", " + others + " to know");
    }

    private ObjectNode json(List<SettingsFile.Checked> checked) {
        ObjectNode root = new ObjectMapper().createObjectNode();
        root.put("ok", fails(checked) == 0);
        ArrayNode array = root.putArray("files");
        for (SettingsFile.Checked file : checked) {
            SettingsKind of = file.file().kind();
            ObjectNode node = array.addObject();
            node.put("file", file.file().path().toString())
                    .put("kind", of.name())
                    .put("of", file.of());
            node.put("settings", file.file().settings().size());
            ArrayNode findings = node.putArray("findings");
            for (Finding finding : shown(file)) {
                ObjectNode one = findings.addObject();
                one.put("line", finding.line()).put("key", finding.key());
                one.put("verdict", finding.verdict().word())
                        .put("fails", finding.verdict().fails());
                one.put("sentence", finding.sentence())
                        .put("right", finding.right().orElse(null));
            }
        }
        return root;
    }
}
