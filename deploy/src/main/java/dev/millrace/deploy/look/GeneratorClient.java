package dev.millrace.deploy.look;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.local.Http;
import java.io.IOException;
import java.util.Optional;

/** Speaks to a generator on this machine. Thread-safe. */
public final class GeneratorClient {
    private final String url;

    /** @param url {@code http://127.0.0.1:PORT} */
    public GeneratorClient(String url) {
        this.url = url;
    }

    /**
     * What a generator says of itself.
     *
     * @param state starting, recovering, running, paused, paused-disk or complete
     * @param message a sentence when there is something to say, else empty
     * @param readingsSent acknowledged by the broker
     * @param targetRateReadingsPerSecond of its schedule; -1 when it sends as fast as the broker takes them
     * @param latenessMillis how far it is behind its schedule
     */
    public record State(
            String state,
            String message,
            long readingsSent,
            double rateReadingsPerSecond,
            double targetRateReadingsPerSecond,
            long latenessMillis) {

        /** Whether it knows its ledger again; before that its counts are not those of the stack. */
        public boolean isUp() {
            return !state.equals("starting") && !state.equals("recovering");
        }

        /** Whether readings are due at a time; otherwise there is no time from which a send could take long. */
        public boolean isPaced() {
            return targetRateReadingsPerSecond >= 0;
        }
    }

    /** Its state, or nothing when it does not answer within 5 s. */
    public Optional<State> state() {
        return Http.json(url + "/state").map(GeneratorClient::parse);
    }

    private static State parse(JsonNode json) {
        return new State(
                json.path("state").asText("unknown"),
                json.path("message").asText(""),
                json.path("readingsSent").asLong(),
                json.path("rateReadingsPerSecond").asDouble(),
                json.path("targetRateReadingsPerSecond").asDouble(),
                json.path("latenessMillis").asLong());
    }

    /** Sends no more until {@link #resume}. */
    public void pause() {
        post("/pause");
    }

    public void resume() {
        post("/resume");
    }

    /** Sets the rate for what is still to be sent. */
    public void rate(long readingsPerSecond) {
        post("/rate?readingsPerSecond=" + readingsPerSecond);
    }

    private void post(String path) {
        try {
            Http.Answer answer = Http.post(url + path);
            if (answer.status() >= 500) {
                throw new EnvironmentException("the generator at " + url + " says: " + answer.body());
            }
            if (answer.status() >= 400) {
                throw new UserException(
                        "the generator refuses: " + answer.body().strip());
            }
        } catch (IOException e) {
            throw new EnvironmentException(
                    "the generator at " + url + " does not answer; 'millrace status' shows whether it runs", e);
        }
    }
}
