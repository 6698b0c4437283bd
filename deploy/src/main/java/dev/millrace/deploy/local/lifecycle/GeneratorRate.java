package dev.millrace.deploy.local.lifecycle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.deploy.local.Http;
import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.deploy.local.StackFile;
import dev.millrace.deploy.local.StackSettings;
import dev.millrace.deploy.local.StackSettings.Difference;
import dev.millrace.deploy.local.StackState;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The rate that a stack is to have from now on. A generator that was killed goes on with that of its ledger, since a person may have
 * told it another one than its settings have; so where the settings' is a new one, it is told that.
 */
final class GeneratorRate {
    private static final Duration BOUND = Duration.ofSeconds(30);
    private static final Set<String> IS_UP = Set.of("running", "paused", "paused-disk", "complete");
    private static final List<String> KEYS = List.of("rate", "shape");

    private GeneratorRate() {}

    /** Where the plan, or a change before it that was interrupted, brings another rate: waits for the generator, and tells it. */
    static void hold(StackPlan plan, RunDirectory directory) {
        StackSettings asked = plan.there().settings();
        // One whose rate moves is not held to one.
        if (!asked.isSteady() || asked.rateIsMax() || !isChanged(plan, directory)) {
            return;
        }
        long wanted = Math.round(asked.rateReadingsPerSecond());
        long deadline = System.nanoTime() + BOUND.toNanos();
        JsonNode state = MissingNode.getInstance();
        while (!IS_UP.contains(state.path("state").asText()) && System.nanoTime() < deadline) {
            StackWatch.pause();
            state = Http.json(url(directory) + "/state").orElse(MissingNode.getInstance());
        }
        if (state.path("state").asText().equals("running")
                && state.path("targetRateReadingsPerSecond").asLong() != wanted) {
            String url = url(directory);
            try {
                Http.Answer answer = Http.post(url + "/rate?readingsPerSecond=" + wanted);
                if (answer.status() >= HttpURLConnection.HTTP_BAD_REQUEST) {
                    throw new EnvironmentException("the generator at " + url + " does not take the new rate: "
                            + answer.body().strip() + "; say it again");
                }
            } catch (IOException e) {
                throw new EnvironmentException("the generator at " + url + " does not take the new rate", e);
            }
        }
    }

    private static boolean isChanged(StackPlan plan, RunDirectory directory) {
        Stream<Difference> interrupted = StackFile.read(directory.previousFile()).stream()
                .flatMap(
                        previous -> previous.settings().differences(plan.there().settings()).stream());
        return Stream.concat(plan.differences().stream(), interrupted)
                .map(Difference::key)
                .anyMatch(KEYS::contains);
    }

    /** Empty while nobody has said where it is. */
    static String url(RunDirectory directory) {
        return directory
                .state()
                .map(state -> state.part(StackState.GENERATOR).url())
                .orElse("");
    }
}
