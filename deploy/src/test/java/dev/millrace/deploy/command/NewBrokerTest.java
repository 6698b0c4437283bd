package dev.millrace.deploy.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import dev.millrace.connectors.api.broker.Broker;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.Options;
import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.Javac;
import dev.millrace.deploy.local.Installation;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineTestKit;

class NewBrokerTest {
    private static final Path CLONE = Installation.here().root();

    @TempDir
    Path root;

    /** The two files that a new broker is entered in, as they are in this clone. */
    @BeforeEach
    void skeleton() throws IOException {
        Files.createDirectories(root.resolve("brokers"));
        for (String pom : List.of("pom.xml", "brokers/pom.xml")) {
            Files.copy(CLONE.resolve(pom), root.resolve(pom));
        }
    }

    /** Every file with its text. */
    private TreeMap<String, String> content() throws IOException {
        TreeMap<String, String> content = new TreeMap<>();
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                content.put(root.relativize(file).toString(), Files.readString(file));
            }
        }
        return content;
    }

    @Test
    @DisplayName("it adds one folder, one module line and one profile line, and changes nothing else")
    void files() throws IOException {
        TreeMap<String, String> before = content();
        List<String> said = new NewBroker(root, "acme1").write();
        TreeMap<String, String> after = content();
        assertThat(after.get("brokers/pom.xml").replace("    <module>acme1</module>\n", ""))
                .isEqualTo(before.get("brokers/pom.xml"));
        assertThat(after.get("pom.xml")
                        .replaceAll(
                                " *<profile><id>acme1</id><properties><millrace.launching>true</millrace.launching>"
                                        + "</properties></profile>\n",
                                ""))
                .isEqualTo(before.get("pom.xml"));
        assertThat(after).hasSize(before.size() + said.size() - 2);
        assertThat(after.keySet())
                .filteredOn(file -> !before.containsKey(file))
                .allMatch(file -> said.contains(file) && file.startsWith("brokers/acme1/"));
        assertThat(after.values()).noneMatch(text -> text.contains("@name@") || text.contains("@Name@"));
        assertThat(after.get("brokers/acme1/pom.xml")).contains("<artifactId>millrace-brokers-acme1</artifactId>");
    }

    @Test
    @DisplayName("what it writes compiles without a warning, and every sentence of the contract says what is missing")
    void compilesAndIsRed(@TempDir Path classes) throws Exception {
        new NewBroker(root, "acme").write();
        List<String> sources;
        try (Stream<Path> files = Files.walk(root.resolve("brokers/acme"))) {
            sources = files.map(Path::toString)
                    .filter(file -> file.endsWith(".java"))
                    .toList();
        }
        Javac.compile(sources, classes);
        try (URLClassLoader loader = new URLClassLoader(
                new URL[] {classes.toUri().toURL()}, getClass().getClassLoader())) {
            Class<?> contract = loader.loadClass("dev.millrace.brokers.acme.AcmeContractTest");
            var outcomes = EngineTestKit.engine("junit-jupiter")
                    .selectors(selectMethod(contract, "alive"), selectMethod(contract, "earliest"))
                    .execute()
                    .testEvents()
                    .finished()
                    .map(event -> event.getRequiredPayload(TestExecutionResult.class))
                    .toList();
            assertThat(outcomes).hasSize(2).allSatisfy(outcome -> assertThat(outcome.getThrowable())
                    .get()
                    .asString()
                    .contains("not implemented yet: LocalAcme.command: how the server is started"));
            Broker broker = (Broker) loader.loadClass("dev.millrace.brokers.acme.AcmeBroker")
                    .getConstructor()
                    .newInstance();
            assertThat(broker.localMemoryBytes(Options.of(Map.of("memory", "1GiB"))))
                    .hasValue(1L << 30);
            assertThat(broker.localMemoryBytes(Options.none())).hasValue(512L << 20);
        }
    }

    @Test
    @DisplayName("a key that is added for clients is known to the local server, which hands it on")
    void clientsKeys(@TempDir Path classes) throws Exception {
        new NewBroker(root, "acme").write();
        Path sources = root.resolve("brokers/acme/src/main/java/dev/millrace/brokers/acme");
        Path options = sources.resolve("AcmeOptions.java");
        String before = Files.readString(options);
        String after = before.replace(
                "        return new AcmeOptions(address);",
                "        binder.string(\"compression\", \"none\");\n        return new AcmeOptions(address);");
        assertThat(after).isNotEqualTo(before);
        Files.writeString(options, after);
        Javac.compile(List.of(options.toString()), classes);
        try (URLClassLoader loader = new URLClassLoader(
                new URL[] {classes.toUri().toURL()}, getClass().getClassLoader())) {
            Method bindLocal = loader.loadClass("dev.millrace.brokers.acme.AcmeOptions")
                    .getDeclaredMethod("bindLocal", Options.class);
            bindLocal.setAccessible(true);
            assertThat(bindLocal.invoke(
                            null, Options.of(Map.of("compression", "lz4", "port", "4801", "memory", "1GiB"))))
                    .hasToString("Local[port=4801, memoryBytes=1073741824, clients={compression=lz4}]");
        }
        assertThat(Files.readString(sources.resolve("LocalAcme.java")))
                .contains("return options.clients().with(\"address\", address());");
    }

    @ParameterizedTest
    @CsvSource({
        "Acme, lower case",
        "a, lower case",
        "1acme, lower case",
        "ac-me, lower case",
        "../acme, lower case",
        "native, a word of Java",
        "profile, occurs in pom.xml"
    })
    @DisplayName("a name that cannot be one is refused with the reason, and nothing is written")
    void wrongNames(String name, String reason) throws IOException {
        TreeMap<String, String> before = content();
        assertThatThrownBy(() -> new NewBroker(root, name).write())
                .isInstanceOf(UserException.class)
                .hasMessageContaining("'" + name + "'")
                .hasMessageContaining(reason);
        assertThat(content()).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ".ci/run",
                ".mvn/Build.java",
                "core/src/main/resources/Reading.avsc",
                "deploy/testcluster/kube/main.go",
                "deploy/bin/millrace",
                "perf/src/main/resources/report.html"
            })
    @DisplayName(
            "a name that stands in any file that a person writes is refused with its line, as TidyTest would find it")
    void wordsOfTheClone(String file) throws IOException {
        write(file, "first\nan acmE of theirs\n");
        assertThatThrownBy(() -> new NewBroker(root, "acme").write())
                .isInstanceOf(UserException.class)
                .hasMessageContaining("'acme' occurs in " + file + ":2, and");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "README.md",
                "brokers/.acme.new/pom.xml",
                "core/target/classes/a.properties",
                ".git/config",
                "deploy/testcluster/kube/go.mod",
                "deploy/testcluster/kube/go.sum"
            })
    @DisplayName("a name may stand in prose and in what no person writes, as TidyTest lets it")
    void wordsThatDoNotCount(String file) throws IOException {
        write(file, "acme\n");
        assertThat(new NewBroker(root, "acme").write()).contains("brokers/acme/pom.xml");
    }

    private void write(String file, String text) throws IOException {
        Files.createDirectories(root.resolve(file).getParent());
        Files.writeString(root.resolve(file), text);
    }

    @Test
    @DisplayName("the name of a broker that is there is refused, and its folder is left as it is")
    void taken() throws IOException {
        new NewBroker(root, "acme").write();
        Files.writeString(root.resolve("brokers/acme/README.md"), "mine");
        TreeMap<String, String> before = content();
        assertThatThrownBy(() -> new NewBroker(root, "acme").write())
                .isInstanceOf(UserException.class)
                .hasMessageContaining("there is a broker 'acme' already");
        assertThat(content()).isEqualTo(before);
    }

    @Test
    @DisplayName("outside a clone it refuses with a sentence")
    void outside(@TempDir Path elsewhere) {
        assertThatThrownBy(() -> new NewBroker(elsewhere, "acme").write())
                .isInstanceOf(UserException.class)
                .hasMessageContaining(elsewhere + " is none");
        assertThat(elsewhere).isEmptyDirectory();
    }

    @Test
    @DisplayName("when the last of its files cannot be written, nothing of it is left")
    void nothingHalfWritten() throws IOException {
        TreeMap<String, String> before = content();
        Files.createDirectory(root.resolve("pom.xml.new"));
        assertThatThrownBy(() -> new NewBroker(root, "acme").write())
                .isInstanceOf(EnvironmentException.class)
                .hasMessageContaining("nothing of it is left");
        assertThat(content()).isEqualTo(before);
        assertThat(root.resolve("brokers/acme")).doesNotExist();
    }
}
