package dev.millrace.perf.publish;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.connectors.api.baseline.LoadTool;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.Options;
import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.local.Installation;
import dev.millrace.deploy.local.PropertiesFile;
import dev.millrace.perf.run.stage.SendLatency;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A process of ours with a meter around its publisher: the generator's, or one with payloads made beforehand.
 *
 * @param classPath of the process
 * @param settings the generator's, written
 * @param arguments of the process
 */
record OwnPublishing(
        String classPath, Path settings, Path result, Path latencyLog, boolean isLogged, List<String> arguments)
        implements Publishing {

    /**
     * Writes what the process needs into {@code folder}.
     *
     * @param tool beside which its latencies are read
     * @param bound after which it gives up
     */
    static OwnPublishing of(
            Installation installation,
            String broker,
            Options options,
            LoadTool.Load load,
            Side side,
            LoadTool tool,
            Duration bound,
            Path folder) {
        Path settings = folder.resolve("generator.properties");
        Path result = folder.resolve("published.json");
        Path latencyLog = folder.resolve("latency.hlog");
        boolean paced = load.readingsPerSecond() > 0;
        boolean isLogged = paced && side == Side.GENERATOR;
        Map<String, String> values = new TreeMap<>();
        options.asMap().forEach((key, value) -> values.put("broker." + key, value));
        values.put("broker", "measured");
        values.put("broker.measured", broker);
        values.put("topic", load.topic());
        values.put("readings", Long.toString(load.readings()));
        values.put("payload-bytes", Integer.toString(load.readingBytes()));
        values.put("rate", paced ? Long.toString(load.readingsPerSecond()) : "max");
        values.put("directory", folder.resolve("ledger").toString());
        if (isLogged) {
            values.put("latency-log", latencyLog.toString());
        }
        PropertiesFile.write(settings, values);
        List<String> arguments = List.of(
                settings.toString(),
                result.toString(),
                Long.toString(load.readings()),
                Long.toString(tool.latencyEvery(load.readings())),
                Long.toString(tool.latencyStep().toNanos()),
                Long.toString(tool.latencyWarmUp().toMillis()),
                Long.toString(bound.toSeconds()),
                side.word());
        return new OwnPublishing(classPath(installation, broker), settings, result, latencyLog, isLogged, arguments);
    }

    private static String classPath(Installation installation, String broker) {
        Path measured = installation.root().resolve("perf/baselines/target/drain");
        if (!Files.isDirectory(measured)) {
            throw new UserException("the process that publishes is not built (there is no " + measured + "); build it: "
                    + installation.inClone("mvn -q -P " + broker + ",baselines package"));
        }
        return String.join(
                ":",
                installation.classPath(),
                measured.resolve("*").toString(),
                installation.builtPlugin(broker) + "/*");
    }

    @Override
    public List<String> command() {
        List<String> command = new ArrayList<>(Installation.addOpens());
        command.addAll(List.of("-cp", classPath, "dev.millrace.perf.baselines.PublishProcess"));
        command.addAll(arguments);
        return command;
    }

    @Override
    public PublishRun.Own own() {
        try {
            JsonNode own = new ObjectMapper().readTree(result.toFile());
            return new PublishRun.Own(
                    own.get("sent").asLong(),
                    own.get("readingsPerSecond").asDouble(),
                    own.get("p50Millis").asDouble(),
                    own.get("p99Millis").asDouble(),
                    isLogged
                            ? SendLatency.read(
                                            latencyLog,
                                            own.get("countedFromMillis").asLong(),
                                            Long.MAX_VALUE)
                                    .millis(99)
                            : Double.NaN);
        } catch (IOException e) {
            throw new EnvironmentException("the process that publishes left no result: " + e.getMessage(), e);
        }
    }
}
