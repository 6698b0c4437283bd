package dev.millrace.house;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.house.Repository.Line;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The repository's own lint: what a reviewer would otherwise have to say again and again. */
class TidyTest {
    /** This file spells out what it forbids. */
    private static final String ITSELF = "deploy/src/test/java/dev/millrace/house/TidyTest.java";

    private static final int CLASS_LINES = 400;
    private static final int TEST_LINES = 600;
    private static final int METHOD_LINES = 70;
    private static final Set<String> FOLDERS =
            Set.of(".ci", ".github", ".mvn", "brokers", "connectors", "core", "deploy", "perf");
    private static final Set<String> TOP_FILES =
            Set.of(".gitattributes", ".gitignore", "LICENSE", "README.md", "pom.xml");
    private static final List<String> ADR_HEADINGS =
            List.of("Status", "Context", "Decision", "Consequences", "Alternatives");

    private static final Repository REPOSITORY = new Repository();

    @Test
    @DisplayName(
            "a broker's name appears only in its own folder, in brokers/pom.xml, in the root pom's profiles, in prose, and as the"
                    + " title of what was measured of it")
    void brokerNames() {
        List<String> found = new ArrayList<>();
        for (String broker : REPOSITORY.brokers()) {
            Pattern name = spelling(broker);
            REPOSITORY
                    .texts()
                    .filter(file -> !file.startsWith("brokers/" + broker + "/"))
                    .filter(file -> !file.equals("brokers/pom.xml") && !file.endsWith(".md") && !file.equals(ITSELF))
                    // Names of modules and hashes: nobody chose their letters here.
                    .filter(file -> !file.matches(".*/go\\.(mod|sum)"))
                    .flatMap(REPOSITORY::lines)
                    .filter(line -> name.matcher(line.text()).find())
                    .filter(line -> !isProfile(line, broker) && !isMeasured(line, broker))
                    .forEach(line -> found.add(broker + " in " + line));
        }
        assertThat(found).isEmpty();
    }

    /** "memory" is a word that everybody needs; there the forms that only a broker's name has are looked for. */
    private static Pattern spelling(String broker) {
        return broker.equals("memory")
                ? Pattern.compile("brokers[./]memory|MemoryBroker|--broker[ =]memory|-P ?memory")
                : Pattern.compile(Pattern.quote(broker), Pattern.CASE_INSENSITIVE);
    }

    private static boolean isProfile(Line line, String broker) {
        String text = line.text().strip();
        return line.file().equals("pom.xml")
                && (text.startsWith("<profile><id>" + broker + "</id>")
                        || text.equals("<module>brokers/" + broker + "/baseline</module>"));
    }

    /** A line of the file that results of benchmarks are written to. */
    private static boolean isMeasured(Line line, String broker) {
        return line.file().equals("deploy/sizing.yaml") && line.text().equals("  - broker: " + broker);
    }

    @Test
    @DisplayName(
            "every broker's folder has a module line, a profile line, a pom, a README, a service file and a contract test")
    void brokerFolders() {
        List<String> missing = new ArrayList<>();
        for (String broker : REPOSITORY.brokers()) {
            String folder = "brokers/" + broker + "/";
            if (!REPOSITORY.text("brokers/pom.xml").contains("<module>" + broker + "</module>")) {
                missing.add("brokers/pom.xml has no <module>" + broker + "</module>");
            }
            if (!REPOSITORY.text("pom.xml").contains("<profile><id>" + broker + "</id>")) {
                missing.add("pom.xml has no <profile><id>" + broker + "</id>");
            }
            if (REPOSITORY.files(".java").noneMatch(file -> file.startsWith(folder))) {
                continue;
            }
            for (String wanted : List.of(
                    "README.md",
                    "src/main/resources/META-INF/services/dev.millrace.connectors.api.broker.Broker",
                    "src/main/java/dev/millrace/brokers/" + broker + "/[A-Za-z0-9]+Broker.java",
                    "src/test/java/dev/millrace/brokers/" + broker + "/[A-Za-z0-9]*ContractTest.java",
                    "src/test/java/dev/millrace/brokers/" + broker + "/[A-Za-z0-9]*FaultTest.java")) {
                if (REPOSITORY.files.stream().noneMatch(file -> file.matches(Pattern.quote(folder) + wanted))) {
                    missing.add(folder + wanted);
                }
            }
        }
        assertThat(missing).isEmpty();
    }

    @Test
    @DisplayName("every profile and every module line has its broker's folder")
    void noLineWithoutFolder() {
        TreeSet<String> named = new TreeSet<>();
        Pattern line = Pattern.compile("<profile><id>([^<]+)</id>");
        line.matcher(REPOSITORY.text("pom.xml")).results().forEach(match -> named.add(match.group(1)));
        Pattern.compile("<module>([^<]+)</module>")
                .matcher(REPOSITORY.text("brokers/pom.xml"))
                .results()
                .forEach(match -> named.add(match.group(1)));
        assertThat(named).containsExactlyElementsOf(REPOSITORY.brokers());
    }

    @Test
    @DisplayName("the top level holds the folders of the diagram and nothing else")
    void topLevel() {
        assertThat(REPOSITORY.files).allSatisfy(file -> {
            int slash = file.indexOf('/');
            if (slash < 0) {
                assertThat(TOP_FILES).contains(file);
            } else {
                assertThat(FOLDERS).contains(file.substring(0, slash));
            }
        });
    }

    @Test
    @DisplayName("every package says in package-info.java what lives in it")
    void packageInfo() {
        TreeSet<String> missing = new TreeSet<>();
        REPOSITORY
                .files(".java")
                .filter(file -> file.contains("/src/main/java/"))
                .forEach(file -> {
                    String info = file.substring(0, file.lastIndexOf('/')) + "/package-info.java";
                    if (!Files.exists(REPOSITORY.root.resolve(info))
                            || !REPOSITORY.text(info).startsWith("/**")) {
                        missing.add(info);
                    }
                });
        assertThat(missing).isEmpty();
    }

    @Test
    @DisplayName("no class has more than 400 lines, no list of test sentences more than 600")
    void classLength() {
        assertThat(REPOSITORY
                        .files(".java")
                        .filter(file -> REPOSITORY.lines(file).count()
                                > (file.matches(".*(Test|Contract)\\.java") ? TEST_LINES : CLASS_LINES) + 1))
                .isEmpty();
    }

    @Test
    @DisplayName("no method has more than 70 lines")
    void methodLength() {
        List<Line> found = new ArrayList<>();
        REPOSITORY.files(".java").forEach(file -> {
            Line start = null;
            for (Line line : REPOSITORY.lines(file).toList()) {
                // The formatter puts a method of a top-level class at four blanks, and its closing brace alone there.
                if (line.text().matches(" {4}\\S.*\\{")
                        && !line.text().matches(".*\\b(class|interface|record|enum)\\b.*")) {
                    start = line;
                } else if (line.text().equals("    }") && start != null) {
                    if (line.number() - start.number() > METHOD_LINES) {
                        found.add(start);
                    }
                    start = null;
                }
            }
        });
        assertThat(found).isEmpty();
    }

    @Test
    @DisplayName("nothing is left for later: no open points, no code in comments, no disabled test")
    void nothingLeftForLater() {
        assertNo("\\b(TODO|FIXME|XXX|HACK)\\b", REPOSITORY.texts());
        assertNo("^\\s*//.*[^.](;|\\{|\\}|\\);)\\s*$", REPOSITORY.files(".java"));
        assertNo(
                "^\\s*//\\s*(import|public|private|return|if \\(|for \\(|while \\() ?.*\\S*[;{(]",
                REPOSITORY.files(".java"));
        assertNo("<!--\\s*<(dependency|plugin|module|profile|artifactId)\\b", REPOSITORY.files("pom.xml"));
        assertNo("@Disabled\\b|@Ignore\\b", REPOSITORY.files(".java"));
    }

    @Test
    @DisplayName("no class is named for being newer than another")
    void noSecondVersions() {
        assertThat(REPOSITORY
                        .files(".java")
                        .filter(file -> file.matches(".*(V\\d+|[a-z]2)\\.java") && !file.matches(".*Co2\\.java")))
                .isEmpty();
    }

    @Test
    @DisplayName("no test sleeps: it waits for a condition, with a bound")
    void noSleep() {
        assertNo(
                "\\b(Thread|MILLISECONDS|SECONDS)\\.sleep\\(",
                REPOSITORY.files(".java").filter(file -> file.contains("/src/test/") || file.contains("/testkit/")));
    }

    @Test
    @DisplayName("no tab, no blank at a line's end, no carriage return; every file ends with a newline")
    void whiteSpace() {
        // Go indents by tabs.
        assertNo("\t", REPOSITORY.texts().filter(file -> !file.matches(".*(\\.go|/go\\.mod)")));
        assertNo("\r", REPOSITORY.texts());
        assertNo("[ ]$", REPOSITORY.texts().filter(file -> file.matches(".*\\.(java|xml|properties|yaml|sh)")));
        assertThat(REPOSITORY
                        .texts()
                        .filter(file -> !REPOSITORY.text(file).isEmpty()
                                && !REPOSITORY.text(file).endsWith("\n")))
                .isEmpty();
    }

    @Test
    @DisplayName("nothing knows the machine it was written on, and no artifact comes from a host that is named here")
    void noMachineNoHost() {
        assertNo("(^|[\\s\"'=(:])(/work|/home/[a-z]|/Users|/root|/opt/[a-z]|/usr/lib/jvm)/", REPOSITORY.texts());
        assertNo(
                "\\brepo1?\\.maven|maven\\.apache\\.org/(?!POM|xsd|install)|\\b(docker|ghcr|quay|gcr)\\.io\\b",
                REPOSITORY.texts());
        assertNo("<(repository|pluginRepository|mirror|proxy)>", REPOSITORY.files("pom.xml"));
        assertNo("\\b0\\.0\\.0\\.0\\b", REPOSITORY.files(".java"));
    }

    @Test
    @DisplayName("every decision record has a number of its own and the five headings, in order")
    void decisionRecords() {
        List<String> wrong = new ArrayList<>();
        TreeSet<String> numbers = new TreeSet<>();
        REPOSITORY.files(".md").filter(file -> file.contains("/adr/")).forEach(file -> {
            String name = file.substring(file.lastIndexOf('/') + 1);
            if (!name.matches("\\d{4}-[a-z0-9-]+\\.md")) {
                wrong.add(file + ": the name is not NNNN-title.md");
            } else if (!numbers.add(file.substring(0, file.lastIndexOf('/') + 5))) {
                wrong.add(file + ": its number is there twice");
            }
            List<String> headings = REPOSITORY
                    .lines(file)
                    .map(Line::text)
                    .filter(text -> text.startsWith("## "))
                    .map(text -> text.substring(3).strip())
                    .toList();
            if (!headings.equals(ADR_HEADINGS)) {
                wrong.add(file + ": headings are " + headings);
            }
        });
        assertThat(wrong).isEmpty();
        assertThat(numbers).isNotEmpty();
    }

    private static void assertNo(String regex, Stream<String> files) {
        Pattern pattern = Pattern.compile(regex);
        assertThat(files.filter(file -> !file.equals(ITSELF))
                        .flatMap(REPOSITORY::lines)
                        .filter(line -> pattern.matcher(line.text()).find()))
                .as("lines with %s", regex)
                .isEmpty();
    }
}
