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

/** Scenarios that only send and measure, tiny. */
@Tag("server")
class LoadScenariosTest {
    @TempDir
    Path base;

    static List<String> everyScenario() {
        return TinyScenario.shipped(false);
    }

    @ParameterizedTest
    @MethodSource
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void everyScenario(String scenario) throws IOException {
        TinyScenario.run(scenario, base);
    }
}
