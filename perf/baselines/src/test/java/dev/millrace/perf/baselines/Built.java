package dev.millrace.perf.baselines;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.deploy.local.Installation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** What this build has to test a benchmark with, and what a benchmark leaves. */
final class Built {
    private Built() {}

    /** The first broker whose baseline has this folder: official, raw. */
    static String brokerWith(String baseline) {
        Installation installation = Installation.here();
        return installation.builtBrokers().stream()
                .filter(broker -> Files.isDirectory(installation
                        .root()
                        .resolve("brokers")
                        .resolve(broker)
                        .resolve("baseline/target")
                        .resolve(baseline)))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no broker's baseline is built"));
    }

    /** The one result in the run directory. */
    static JsonNode result(Path runDirectory) throws IOException {
        try (Stream<Path> files = Files.list(runDirectory.resolve("results"))) {
            return new ObjectMapper().readTree(files.findFirst().orElseThrow().toFile());
        }
    }
}
