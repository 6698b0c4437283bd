package dev.millrace.perf.variant;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.core.settings.Options;
import dev.millrace.deploy.local.StackSettings;
import dev.millrace.deploy.local.StackState;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The settings of a variant beside a stack")
class VariantSettingsTest {
    @Test
    @DisplayName("ours keeps its state where the stack does, and each of the others where it always does")
    void stateBackend(@TempDir Path folder) {
        assertThat(backends(folder, "rocksdb"))
                .isEqualTo(Map.of(Variant.OURS, "rocksdb", Variant.STOCK, "heap", Variant.PUBLISHED, "rocksdb"));
        assertThat(backends(folder, "heap"))
                .isEqualTo(Map.of(Variant.OURS, "heap", Variant.STOCK, "heap", Variant.PUBLISHED, "rocksdb"));
    }

    private static Map<Variant, String> backends(Path folder, String ofStack) {
        return Map.of(
                Variant.OURS, backend(folder, ofStack, Variant.OURS),
                Variant.STOCK, backend(folder, ofStack, Variant.STOCK),
                Variant.PUBLISHED, backend(folder, ofStack, Variant.PUBLISHED));
    }

    private static String backend(Path folder, String ofStack, Variant variant) {
        StackSettings stack = StackSettings.bind("up", Options.of(Map.of("broker", "river", "state-backend", ofStack)));
        Map<String, String> values = VariantSettings.of(stack, StackState.of(Map.of()), variant, 1, folder);
        String backend = values.getOrDefault("state-backend", "heap");
        assertThat(values.containsKey("state-directory")).isEqualTo(backend.equals("rocksdb"));
        return backend;
    }
}
