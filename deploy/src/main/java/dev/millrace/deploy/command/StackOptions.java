package dev.millrace.deploy.command;

import dev.millrace.core.settings.Options;
import dev.millrace.deploy.local.StackSettings;
import dev.millrace.deploy.local.lifecycle.StackLauncher;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The table of {@link StackSettings} as options of a command, so that files, Maven and people share one. */
public final class StackOptions {
    private StackOptions() {}

    /**
     * A command with an option for each setting.
     *
     * @param withoutKeys settings that mean nothing where this command works
     */
    public static CommandLine of(Command command, List<String> withoutKeys) {
        CommandSpec own = CommandSpec.forAnnotatedObject(command);
        for (StackSettings.Key key : StackSettings.keys()) {
            if (withoutKeys.contains(key.name())) {
                continue;
            }
            own.addOption(OptionSpec.builder("--" + key.name())
                    .type(String.class)
                    .paramLabel(key.label())
                    .description(
                            key.description() + (key.byDefault() == null ? "" : " (default: " + key.byDefault() + ")"))
                    .build());
        }
        // What nobody declared is looked at here: --broker.KEY=VALUE is for the plugin, the rest is refused.
        return new CommandLine(own).setUnmatchedArgumentsAllowed(true);
    }

    /** What a person named: the file's settings, and over them those of the command line. */
    public static Options given(CommandLine line, @Nullable Path settingsFile) {
        Map<String, String> given = new TreeMap<>();
        if (settingsFile != null) {
            given.putAll(StackLauncher.settingsFile(settingsFile).asMap());
        }
        CommandLine.ParseResult parsed = line.getParseResult();
        for (StackSettings.Key key : StackSettings.keys()) {
            String name = "--" + key.name();
            String value = line.getCommandSpec().optionsMap().containsKey(name)
                    ? parsed.matchedOptionValue(name, (String) null)
                    : null;
            if (value != null) {
                given.put(key.name(), value);
            }
        }
        given.putAll(passedOn(line, parsed.unmatched()));
        return Options.of(given);
    }

    private static Map<String, String> passedOn(CommandLine line, List<String> unmatched) {
        Map<String, String> values = new TreeMap<>();
        List<String> unknown = new ArrayList<>();
        for (String argument : unmatched) {
            int equals = argument.indexOf('=');
            String key = argument.startsWith("--") && equals > 0 ? argument.substring(2, equals) : "";
            if (StackSettings.isPassedOn(key)) {
                values.put(key, argument.substring(equals + 1));
            } else {
                unknown.add(argument);
            }
        }
        if (!unknown.isEmpty()) {
            throw new CommandLine.UnmatchedArgumentException(line, unknown);
        }
        return values;
    }
}
