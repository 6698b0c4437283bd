package dev.millrace.brokers.pulsar.lint;

import dev.millrace.brokers.pulsar.LocalPulsarFiles;
import dev.millrace.connectors.api.lint.Advice;
import dev.millrace.connectors.api.lint.Finding;
import dev.millrace.connectors.api.lint.KnownSettings;
import dev.millrace.connectors.api.lint.SettingLine;
import dev.millrace.connectors.api.lint.SettingsKind;
import dev.millrace.connectors.api.lint.SettingsPlace;
import java.util.List;

/** The bookie's own file. */
public final class BookieKind implements SettingsKind {
    static final String FILE = "bookkeeper.conf";
    static final String ADVICE = "bookie.advice";

    /** Of its stream storage, which is a program of its own. */
    static final List<String> OPEN = List.of("storage.", "storageserver.", "dlog.");

    @Override
    public String name() {
        return "bookkeeper";
    }

    @Override
    public List<String> fileNames() {
        return List.of(FILE);
    }

    /** Pulsar's chart; what the shipped file does not have is told to its scripts by the prefix. */
    @Override
    public List<SettingsPlace> places() {
        return ChartSettings.at("bookkeeper.configData");
    }

    @Override
    public List<Finding> placed(KnownSettings known, List<SettingLine> asWritten) {
        return ChartSettings.passedOver(FILE, known, asWritten);
    }

    @Override
    public KnownSettings known() {
        Distribution distribution = new Distribution(LocalPulsarFiles.distribution());
        return new KnownSettings(
                "BookKeeper " + distribution.version("org.apache.bookkeeper-bookkeeper-server"),
                BookieSettings.of(distribution),
                OPEN,
                Advice.of(BookieKind.class, ADVICE));
    }
}
