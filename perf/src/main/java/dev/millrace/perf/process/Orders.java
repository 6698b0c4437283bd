package dev.millrace.perf.process;

import dev.millrace.deploy.local.PropertiesFile;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * The life of a {@link ToldProcess} that takes orders: it does what the files say whose paths come by its standard input, a line each,
 * and answers in a file beside each. It ends at once when its input does, so with whoever started it; with exit code 1 when something
 * fails.
 */
public final class Orders {
    /** Which order it is, in each. */
    static final String NAME = "do";

    /** What is done for one; {@code name} says what, {@code order} holds the rest. */
    public interface Obeying {
        /** Returns the answer. */
        Map<String, String> obey(String name, Map<String, String> order) throws Exception;
    }

    private Orders() {}

    /** Does not return. */
    public static void obey(Obeying obeying) {
        BlockingQueue<Path> asked = new LinkedBlockingQueue<>();
        Thread input = new Thread(() -> listen(asked), "input");
        input.setDaemon(true);
        input.start();
        try {
            while (true) {
                Path file = asked.take();
                Map<String, String> order = PropertiesFile.read(file).orElseThrow();
                PropertiesFile.write(answer(file), obeying.obey(order.get(NAME), order));
            }
        } catch (Exception e) {
            e.printStackTrace();
            Runtime.getRuntime().halt(1);
        }
    }

    /** Where the answer to an order is. */
    static Path answer(Path order) {
        return order.resolveSibling(order.getFileName() + ".answer");
    }

    private static void listen(BlockingQueue<Path> asked) {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            lines.lines().map(Path::of).forEach(asked::add);
        } catch (IOException | UncheckedIOException e) {
            e.printStackTrace();
        }
        Runtime.getRuntime().halt(0);
    }
}
