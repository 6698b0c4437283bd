package dev.millrace.deploy.kubernetes.manifest;

import dev.millrace.connectors.api.lint.SettingLine;
import dev.millrace.connectors.api.local.ServerFiles;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.config.Configuration;
import org.apache.logging.log4j.core.config.ConfigurationSource;
import org.apache.logging.log4j.core.config.properties.PropertiesConfigurationFactory;
import org.apache.logging.log4j.status.StatusData;
import org.apache.logging.log4j.status.StatusListener;
import org.apache.logging.log4j.status.StatusLogger;

/** Settings of log4j 2, read by log4j itself; beyond what it complains of, what it passes over. Thread-safe. */
final class LogSettings {
    private static final Pattern KEY = Pattern.compile("status"
            + "|appender\\.output\\.(type|name|layout\\.type|layout\\.pattern)"
            + "|rootLogger\\.(level|appenderRef\\.output\\.ref)"
            + "|logger\\.[a-z]+\\.(name|level)");
    private static final Pattern LEVEL = Pattern.compile("error|warn|info");

    private static final String PATTERN =
            ServerFiles.logSettings(Path.of("local"), List.of()).get("appender.file.layout.pattern");

    private final Map<String, List<Finding>> known = new ConcurrentHashMap<>();

    List<Finding> check(SettingsFile file) {
        return known.computeIfAbsent(file.file() + "\n" + file.text(), text -> read(file));
    }

    private static List<Finding> read(SettingsFile file) {
        List<Finding> found = new ArrayList<>();
        for (SettingLine line : file.lines()) {
            if (!KEY.matcher(line.key()).matches()) {
                found.add(file.finding(line, "log4j passes it over; a key is " + KEY));
            } else if (line.key().matches("status|.*\\.level")
                    && !LEVEL.matcher(line.value()).matches()) {
                found.add(file.finding(line, "'" + line.value() + "' is no level: " + LEVEL));
            } else if (line.key().endsWith(".pattern") && !line.value().equals(PATTERN)) {
                found.add(file.finding(line, "a local server writes " + PATTERN));
            }
        }
        Map<String, String> values = file.values();
        for (SettingLine line : file.lines()) {
            String logger = line.key().replaceAll("^(logger\\.[a-z]+)\\.(name|level)$", "$1");
            if (!logger.equals(line.key())
                    && !(values.containsKey(logger + ".name") && values.containsKey(logger + ".level"))) {
                found.add(file.finding(line, "a logger has a name and a level"));
            }
        }
        found.addAll(complaints(file));
        return found;
    }

    private static synchronized List<Finding> complaints(SettingsFile file) {
        Complaints complaints = new Complaints();
        StatusLogger.getLogger().registerListener(complaints);
        try (LoggerContext context = new LoggerContext("manifest")) {
            Configuration configuration = new PropertiesConfigurationFactory()
                    .getConfiguration(
                            context,
                            new ConfigurationSource(
                                    new ByteArrayInputStream(file.text().getBytes(StandardCharsets.UTF_8))));
            configuration.initialize();
            if (configuration.getAppenders().isEmpty()) {
                complaints.said.add("nothing is written anywhere");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (RuntimeException e) {
            complaints.said.add(e.getMessage());
        } finally {
            StatusLogger.getLogger().removeListener(complaints);
        }
        return complaints.said.stream()
                .map(sentence -> new Finding(file.file(), 1, "", "", sentence))
                .toList();
    }

    private static final class Complaints implements StatusListener {
        final List<String> said = new ArrayList<>();

        @Override
        public void log(StatusData data) {
            said.add(data.getMessage().getFormattedMessage());
        }

        @Override
        public Level getStatusLevel() {
            return Level.WARN;
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    }
}
