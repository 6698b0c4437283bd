package dev.millrace.deploy.local.supervisor;

import com.sun.net.httpserver.HttpHandler;
import dev.millrace.deploy.local.RunDirectory;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.slf4j.LoggerFactory;

/**
 * What a supervisor shows people of its stack. Looking at a stack is built on this package, so what shows it is found on the
 * class path ({@code META-INF/services}) and not named here.
 *
 * @implSpec Has a constructor without arguments.
 */
public interface StackPage {
    /**
     * Answers every path that the supervisor does not serve itself; requests are GETs that name this machine, several at a time.
     * Nothing may be asked of anybody before the first request, and no answer may take the thread that brings it for long:
     * metrics come through the same few.
     */
    HttpHandler of(RunDirectory directory);

    /** The page that this build has; nothing when there is none, or none that works: a stack runs without. */
    static Optional<HttpHandler> find(RunDirectory directory) {
        try {
            return ServiceLoader.load(StackPage.class).findFirst().map(page -> page.of(directory));
        } catch (ServiceConfigurationError | RuntimeException e) {
            LoggerFactory.getLogger(StackPage.class).warn("there is no page of the stack", e);
            return Optional.empty();
        }
    }
}
