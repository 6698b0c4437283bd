package dev.millrace.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/** Compiles what a test has written, by the house's rules, against this test's own class path and {@code more}. */
public final class Javac {
    private Javac() {}

    public static void compile(List<String> sources, Path classes, String... more) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter said = new StringWriter();
        String path = System.getProperty("java.class.path") + ":" + String.join(":", more);
        List<String> options = List.of(
                "-d",
                classes.toString(),
                "--release",
                "17",
                "-proc:none",
                "-Xlint:all,-processing,-classfile,-options,-serial,-path",
                "-Werror",
                "-cp",
                path);
        try (var manager = compiler.getStandardFileManager(null, null, null)) {
            var units = manager.getJavaFileObjectsFromStrings(sources);
            assertThat(compiler.getTask(said, manager, null, options, null, units)
                            .call())
                    .as(said.toString())
                    .isTrue();
        }
    }
}
