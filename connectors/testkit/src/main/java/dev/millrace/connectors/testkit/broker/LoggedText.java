package dev.millrace.connectors.testkit.broker;

import java.io.StringWriter;
import java.util.List;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.Appender;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.appender.WriterAppender;
import org.apache.logging.log4j.core.config.LoggerConfig;
import org.apache.logging.log4j.core.layout.PatternLayout;

/**
 * Everything that is logged while it is open, down to INFO as in the processes of a stack, with stack traces; it goes nowhere
 * else meanwhile.
 */
final class LoggedText implements AutoCloseable {
    private static final String NAME = "logged-text";

    private final StringWriter text = new StringWriter();
    private final LoggerContext context = (LoggerContext) LogManager.getContext(false);
    private final LoggerConfig root = context.getConfiguration().getRootLogger();
    private final Level before = root.getLevel();
    private final List<Appender> others = List.copyOf(root.getAppenders().values());

    LoggedText() {
        WriterAppender appender = WriterAppender.newBuilder()
                .setTarget(text)
                .setName(NAME)
                .setLayout(
                        PatternLayout.newBuilder().withPattern("%p %c %m%n%xEx").build())
                .build();
        appender.start();
        others.forEach(other -> root.removeAppender(other.getName()));
        root.addAppender(appender, Level.INFO, null);
        root.setLevel(Level.INFO);
        context.updateLoggers();
    }

    String text() {
        return text.toString();
    }

    @Override
    public void close() {
        root.removeAppender(NAME);
        others.forEach(other -> root.addAppender(other, null, null));
        root.setLevel(before);
        context.updateLoggers();
    }
}
