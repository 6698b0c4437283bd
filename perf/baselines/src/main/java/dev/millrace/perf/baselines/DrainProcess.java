package dev.millrace.perf.baselines;

import dev.millrace.core.settings.Options;
import dev.millrace.core.settings.UserException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Drains whenever a line comes by its standard input: the path of a file with what {@link DrainPass} takes. It ends at once
 * when its input does; exit code 2: a setting is wrong, 1: a drain failed.
 */
public final class DrainProcess {
    private DrainProcess() {}

    public static void main(String[] arguments) {
        BlockingQueue<Path> asked = new LinkedBlockingQueue<>();
        Thread input = new Thread(() -> listen(asked), "input");
        input.setDaemon(true);
        input.start();
        try {
            while (true) {
                new DrainPass(Options.read(asked.take())).run();
            }
        } catch (UserException e) {
            System.err.println(e.getMessage());
            Runtime.getRuntime().halt(2);
        } catch (Exception e) {
            e.printStackTrace();
            Runtime.getRuntime().halt(1);
        }
    }

    /** In the middle of a pass, too: whoever asked for it is gone. */
    private static void listen(BlockingQueue<Path> asked) {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            lines.lines().map(Path::of).forEach(asked::add);
        } catch (IOException | UncheckedIOException e) {
            e.printStackTrace();
        }
        Runtime.getRuntime().halt(0);
    }
}
