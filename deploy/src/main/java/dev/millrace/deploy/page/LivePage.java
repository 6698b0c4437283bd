package dev.millrace.deploy.page;

import com.sun.net.httpserver.HttpHandler;
import dev.millrace.connectors.api.broker.Brokers;
import dev.millrace.deploy.local.Installation;
import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.deploy.local.supervisor.StackPage;
import dev.millrace.deploy.look.StackLook;
import java.nio.file.Path;

/** The page of a running stack, in the stack's supervisor. */
public final class LivePage implements StackPage {
    @Override
    public HttpHandler of(RunDirectory directory) {
        // The supervisor has the plugin on its class path: a class loader for each look would be too many.
        StackLook look = new StackLook(() -> Brokers.named(directory.broker()), directory);
        return new PageHandler(options(directory), new Looks(look::look));
    }

    /** As a shell takes it for one word. */
    static String word(String text) {
        return text.matches("[\\w./-]+") ? text : "'" + text.replace("'", "'\\''") + "'";
    }

    /** What a command needs to find this stack from anywhere. */
    private static String options(RunDirectory directory) {
        Path base = directory.path().toAbsolutePath().getParent();
        String broker = "--broker " + directory.broker();
        return RunDirectory.defaultBase(Installation.here()).equals(base)
                ? broker
                : broker + " --run-dir " + word(base.toString());
    }
}
