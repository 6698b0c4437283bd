package dev.millrace.house;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.deploy.command.Millrace;
import dev.millrace.deploy.local.StackSettings;
import dev.millrace.deploy.local.StackState;
import dev.millrace.deploy.look.StackStatus;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** What the README promises is there, and what is there is in the README. */
class ReadmeTest {
    private static final Repository REPOSITORY = new Repository();
    private static final String README = REPOSITORY.text("README.md");

    @Test
    @DisplayName("every command is in the README with all its options")
    void commands() {
        assertThat(below(Millrace.commandLine())).allSatisfy(command -> {
            String[] words = command.getCommandSpec().qualifiedName().split(" ");
            String row = README.lines()
                    .filter(line -> line.startsWith("| `" + words[1] + " ") || line.startsWith("| `" + words[1] + "`"))
                    .findFirst()
                    .orElse("");
            assertThat(row).as("the README's row of " + words[1]).contains(words[words.length - 1]);
            if (!words[1].equals("up")) {
                command.getCommandSpec().options().stream()
                        .map(CommandLine.Model.OptionSpec::longestName)
                        .filter(name -> !List.of("--help", "--verbose", "--target", "--broker", "--run-dir")
                                .contains(name))
                        .forEach(name -> assertThat(row).contains(name));
            }
        });
    }

    private static Stream<CommandLine> below(CommandLine command) {
        return command.getSubcommands().values().stream()
                .filter(one -> !one.getCommandSpec().usageMessage().hidden())
                .flatMap(one -> Stream.concat(Stream.of(one), below(one)));
    }

    @Test
    @DisplayName("every setting of up is in the README with its default")
    void settings() {
        // What is missing is printed as the row to paste.
        assertThat(StackSettings.keys().stream()
                        .filter(key -> !key.name().equals("broker"))
                        .filter(key -> README.lines()
                                .noneMatch(line -> line.startsWith("| `--" + key.name() + " ")
                                        && line.contains("` | " + withBlank(key.byDefault()) + "| ")))
                        .map(key -> "| `--" + key.name() + " " + key.label().replace("|", " or ") + "` | "
                                + withBlank(key.byDefault()) + "| " + key.description() + " |"))
                .isEmpty();
    }

    private static String withBlank(String value) {
        return value == null ? "" : value + " ";
    }

    @Test
    @DisplayName("the README gives the commands that run and test the house")
    void howToRun() {
        assertThat(README).contains("mvn verify", ".ci/run");
        assertThat(Pattern.compile("mvn -P ([a-z0-9,]+) deploy")
                        .matcher(README)
                        .results()
                        .flatMap(match -> Stream.of(match.group(1).split(",")))
                        .distinct())
                .hasSizeGreaterThan(1)
                .isSubsetOf(REPOSITORY.brokers());
    }

    @Test
    @DisplayName("the README and --help name the same exit codes, and those of a command that is ended")
    void exitCodes() {
        String paragraph = README.lines()
                .dropWhile(line -> !line.startsWith("Exit codes: "))
                .takeWhile(line -> !line.isEmpty())
                .collect(Collectors.joining(" "));
        CommandLine millrace = Millrace.commandLine();
        assertThat(millrace.getCommandSpec().usageMessage().exitCodeList().keySet())
                .contains("0", "130")
                .allSatisfy(code -> assertThat(paragraph).containsPattern("(: |, )" + code + " "));
        assertThat(paragraph).contains("143").doesNotContain("interruption");
        assertThat(millrace.getUsageMessage()).contains("143").doesNotContain("interruption");
    }

    @Test
    @DisplayName("every state that status may say is in the README, and no other")
    void states() {
        Matcher states =
                Pattern.compile("whatever the\\s+state is \\(([^)]*)\\)").matcher(README);
        assertThat(states.find()).isTrue();
        assertThat(states.group(1).replace("`", "").split(", ")).containsExactlyElementsOf(StackStatus.STATES);
        assertThat(StackState.State.values())
                .allSatisfy(state -> assertThat(StackStatus.STATES).contains(state.word()));
    }

    @Test
    @DisplayName("a broker of the production shape says in its README what it takes while a node is away")
    void nodeThatIsAway() {
        List<String> brokers = REPOSITORY.brokers().stream()
                .filter(broker -> REPOSITORY.files.stream()
                        .anyMatch(file -> file.startsWith("brokers/" + broker + "/deploy/kubernetes/c5-i7i/")))
                .toList();
        assertThat(brokers).isNotEmpty().allSatisfy(broker -> assertThat(
                        REPOSITORY.text("brokers/" + broker + "/README.md"))
                .containsPattern("(?s)- Size c5-i7i (?:(?!\\n- ).)*\\baway\\b"));
    }

    @Test
    @DisplayName("every path in the README is there")
    void paths() {
        assertThat(Pattern.compile("`((?:core|connectors|brokers|deploy|perf|\\.ci|\\.github)/[A-Za-z0-9_./-]*)`")
                        .matcher(README)
                        .results()
                        .map(match -> match.group(1))
                        .filter(path -> !path.matches(".*(NAME|BROKER).*"))
                        .filter(path -> !path.startsWith("deploy/bin"))
                        .filter(path -> REPOSITORY.files.stream().noneMatch(file -> file.startsWith(path))))
                .isEmpty();
    }
}
