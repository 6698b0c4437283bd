package dev.millrace.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.deploy.local.Installation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code deploy/bin/millrace} in a clone of a few empty files, with a java that says what it was called with. */
class CommandScriptTest {
    @TempDir
    Path folder;

    private Path clone;

    private record Outcome(int exitCode, String said) {}

    @BeforeEach
    void makeClone() throws Exception {
        clone = Files.createDirectories(folder.resolve("the clone's"));
        Path script = clone.resolve("deploy/bin/millrace");
        Files.createDirectories(script.getParent());
        Files.copy(
                Installation.here().root().resolve("deploy/bin/millrace"), script, StandardCopyOption.COPY_ATTRIBUTES);
        Path java = Files.createDirectories(folder.resolve("jdk/bin")).resolve("java");
        Files.writeString(java, "#!/bin/sh\necho \"LC_ALL=$LC_ALL\"\nprintf '<%s>\\n' \"$@\"\n");
        assertThat(java.toFile().setExecutable(true)).isTrue();
        Files.writeString(folder.resolve("jdk/release"), "JAVA_VERSION=\"17.0.1\"\n");
    }

    @Test
    @DisplayName("what was never built is a sentence with the command that builds it")
    void notBuilt() throws Exception {
        assertThat(run()).isEqualTo(new Outcome(2, "millrace: not built yet; build it: " + build("deploy") + "\n"));
    }

    @Test
    @DisplayName("java has every module that is built on its class path, and the arguments")
    void built() throws Exception {
        Path own = module("deploy", file("a one.jar"), file("*.jar"));
        Path perf = module("perf", file("two.jar"));
        Outcome outcome = run("results", "--sql", "a * b", "");
        assertThat(outcome.exitCode()).as(outcome.said()).isZero();
        assertThat(outcome.said())
                .contains("<" + own + ":" + file("a one.jar") + ":" + file("*.jar") + ":" + perf + ":" + file("two.jar")
                        + ">\n")
                .endsWith("<results>\n<--sql>\n<a * b>\n<>\n");
    }

    @Test
    @DisplayName("a file of the class path that has gone is a sentence with the command that builds the module again")
    void moved() throws Exception {
        module("deploy", file("one.jar"));
        Path gone = file("two.jar");
        module("perf", file("one.jar"), gone);
        assertThat(run("status").exitCode()).isZero();
        Files.delete(gone);
        assertThat(run("status"))
                .isEqualTo(new Outcome(
                        2,
                        "millrace: " + gone
                                + " is not there or not readable, but perf was built with it (before the clone"
                                + " was moved, or by another user?); build it again: " + build("perf") + "\n"));
    }

    @ParameterizedTest(name = "{0}={1}")
    @DisplayName("java reads names of files as UTF-8 also where a locale is named that this machine does not have")
    @EnabledOnOs(OS.LINUX)
    @CsvSource({"LANG, xx_XX.UTF-8", "LC_CTYPE, UTF-8", "LC_TIME, xx_XX.UTF-8", "LC_ALL, POSIX", "LANG, ''"})
    void noLocale(String variable, String value) throws Exception {
        module("deploy", file("one.jar"));
        Map<String, String> locale = new HashMap<>(Map.of("LANG", "C.UTF-8"));
        locale.put(variable, value);
        assertThat(run(locale, "status").said()).contains("LC_ALL=C.UTF-8\n");
    }

    @Test
    @DisplayName("a locale that this machine has stays what it is")
    @EnabledOnOs(OS.LINUX)
    void locale() throws Exception {
        module("deploy", file("one.jar"));
        assertThat(run(Map.of("LANG", "C.UTF-8"), "status").said()).contains("LC_ALL=\n");
    }

    private String build(String module) throws Exception {
        return "(cd '" + clone.toRealPath().toString().replace("'", "'\\''") + "' && mvn -q -DskipTests -pl " + module
                + " -am package)";
    }

    private Path file(String name) throws Exception {
        Path file = folder.resolve(name);
        return Files.exists(file) ? file : Files.createFile(file);
    }

    /** Builds it, so to say; returns its jar as the script names it. */
    private Path module(String name, Path... needed) throws Exception {
        Path target = Files.createDirectories(clone.resolve(name).resolve("target"));
        Files.writeString(
                target.resolve("classpath"),
                String.join(":", Stream.of(needed).map(Path::toString).toList()));
        return Files.createFile(target.resolve("millrace-" + name + "-1.jar")).toRealPath();
    }

    private Outcome run(String... arguments) throws Exception {
        return run(Map.of(), arguments);
    }

    /** @param locale its variables; there is no other */
    private Outcome run(Map<String, String> locale, String... arguments) throws Exception {
        Path output = folder.resolve("said.txt");
        List<String> command =
                new ArrayList<>(List.of(clone.resolve("deploy/bin/millrace").toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().put("JAVA_HOME", folder.resolve("jdk").toString());
        builder.environment().keySet().removeIf(variable -> variable.matches("LANG(UAGE)?|LC_.*"));
        builder.environment().putAll(locale);
        Process process = builder.start();
        try {
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).as("it ends").isTrue();
            return new Outcome(process.exitValue(), Files.readString(output));
        } finally {
            process.destroyForcibly();
        }
    }
}
