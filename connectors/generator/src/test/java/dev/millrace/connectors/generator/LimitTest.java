package dev.millrace.connectors.generator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.connectors.generator.GeneratorTest.Running;
import dev.millrace.core.audit.Ledger;
import dev.millrace.core.settings.Options;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A generator that has sent all, and is started again with another limit")
@Timeout(60)
class LimitTest {
    private static final long HOUR_MICROS = 3_600_000_000L;

    @TempDir
    Path directory;

    private final Map<String, String> settings = new HashMap<>();
    private final AtomicLong passedMicros = new AtomicLong();
    private final List<Running> all = new ArrayList<>();
    private Path topic;
    private Path ledger;

    @BeforeEach
    void begin() throws IOException {
        topic = Files.createDirectories(directory.resolve("topic"));
        ledger = directory.resolve("ledger");
        settings.putAll(FileBroker.settings(topic, ledger));
    }

    @AfterEach
    void end() {
        all.forEach(Running::stop);
    }

    @Test
    @DisplayName("does not make up for the time between")
    void raised() {
        settings.putAll(Map.of("rate", "1000", "readings", "300"));
        Running first = start();
        GeneratorTest.await(() -> first.state() == GeneratorState.COMPLETE);
        passedMicros.set(HOUR_MICROS);
        first.stop();
        settings.put("readings", "30000");
        Running second = start();
        GeneratorTest.await(() -> second.generator.readingsSent() > 600);
        second.stop();
        Ledger read = Ledger.read(ledger);
        assertThat(read.schedule().timeMicros(300) - read.schedule().timeMicros(299))
                .as("between the last reading of before and the next one")
                .isGreaterThan(HOUR_MICROS);
        GeneratorTest.assertTopicHolds(read.acknowledged().end(), read, topic);
    }

    @Test
    @DisplayName("is complete, with a sentence, when it has sent more than that")
    void lowered() {
        settings.putAll(Map.of("rate", "2000", "readings", "300"));
        Running first = start();
        GeneratorTest.await(() -> first.state() == GeneratorState.COMPLETE);
        assertThat(first.generator.message()).isEmpty();
        first.stop();
        settings.putAll(Map.of("rate", "200", "readings", "100"));
        Running second = start();
        GeneratorTest.await(() -> second.state() == GeneratorState.COMPLETE);
        assertThat(second.generator.message())
                .isEqualTo("300 readings were sent before, and the limit, counted from the first one, is now 100");
        assertThat(second.generator.readingsSent()).isEqualTo(300);
    }

    private Running start() {
        Clock clock = new Clock() {
            @Override
            public long micros() {
                return Clock.system() + passedMicros.get();
            }

            @Override
            public long steadyNanos() {
                return System.nanoTime() + passedMicros.get() * 1000;
            }
        };
        GeneratorOptions options = GeneratorOptions.bind(Options.of(settings), "test");
        Running running =
                new Running(new Generator(options, new FileBroker(), clock, () -> Long.MAX_VALUE, micros -> {}));
        all.add(running);
        return running;
    }
}
