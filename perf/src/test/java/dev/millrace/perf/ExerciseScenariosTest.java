package dev.millrace.perf;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Scenarios that do something beside the load, tiny; apart from the others, because each takes its time. */
@Tag("server")
class ExerciseScenariosTest {
    @TempDir
    Path base;

    static List<String> everyScenario() {
        return TinyScenario.shipped(true);
    }

    @ParameterizedTest
    @MethodSource
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void everyScenario(String scenario) throws IOException {
        TinyScenario.run(scenario, base);
    }
}
