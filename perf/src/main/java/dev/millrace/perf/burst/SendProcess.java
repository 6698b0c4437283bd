package dev.millrace.perf.burst;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.connectors.api.broker.Brokers;
import dev.millrace.connectors.api.broker.Publisher;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.Options;
import dev.millrace.core.settings.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The process of one arrangement: sends to a topic that is there, first some rows that are not measured, then those that are, and
 * writes a {@link SendResult} as JSON. Argument: the path of its settings. It ends at once when its standard input does, which is
 * when the process that asked for it is gone. Exit codes: 2 a setting is wrong, 3 the broker, 1 all else.
 */
public final class SendProcess {
    static final String ARRANGEMENT = "arrangement";
    static final String ROWS = "rows";
    static final String WARM_UP_ROWS = "warm-up-rows";
    static final String ROW_BYTES = "row-bytes";
    static final String POOL_THREADS = "pool-threads";
    static final String LIMIT_MILLIS = "limit-millis";
    static final String BROKER = "broker";
    static final String TOPIC = "topic";
    static final String RESULT = "result";

    private SendProcess() {}

    public static void main(String[] arguments) {
        Thread input = new Thread(SendProcess::endWithInput, "input");
        input.setDaemon(true);
        input.start();
        int code = 0;
        try {
            run(Options.read(Path.of(arguments[0])));
        } catch (UserException e) {
            System.err.println(e.getMessage());
            code = 2;
        } catch (EnvironmentException e) {
            System.err.println(e.getMessage());
            code = 3;
        } catch (IOException | RuntimeException e) {
            e.printStackTrace();
            code = 1;
        }
        Runtime.getRuntime().halt(code);
    }

    private static void endWithInput() {
        try {
            while (System.in.read() >= 0) {
                // Nothing is said here; only the end counts.
            }
        } catch (IOException e) {
            e.printStackTrace();
        }
        Runtime.getRuntime().halt(1);
    }

    private static void run(Options settings) throws IOException {
        Arrangement arrangement = Arrangement.valueOf(text(settings, ARRANGEMENT));
        try (BrokerClient client = Brokers.named(text(settings, BROKER)).connect(settings.under("broker."));
                Publisher publisher = client.publisher(text(settings, TOPIC), arrangement.word())) {
            pass(publisher, settings).run(arrangement, number(settings, WARM_UP_ROWS));
            SendResult result = pass(publisher, settings).run(arrangement, number(settings, ROWS));
            Path file = Path.of(text(settings, RESULT));
            Path draft = file.resolveSibling(file.getFileName() + ".new");
            Files.writeString(draft, new ObjectMapper().writeValueAsString(result));
            Files.move(draft, file);
        }
    }

    private static SendPass pass(Publisher publisher, Options settings) {
        return new SendPass(
                publisher,
                number(settings, ROW_BYTES),
                number(settings, POOL_THREADS),
                Duration.ofMillis(number(settings, LIMIT_MILLIS)));
    }

    private static String text(Options settings, String key) {
        return settings.get(key).orElseThrow(() -> new UserException("the settings of the sends lack " + key));
    }

    private static int number(Options settings, String key) {
        return Integer.parseInt(text(settings, key));
    }
}
