package dev.millrace.deploy.lint;

import dev.millrace.connectors.api.lint.Advice;
import dev.millrace.connectors.api.lint.KnownSettings;
import dev.millrace.connectors.api.lint.SettingLine;
import dev.millrace.connectors.api.lint.SettingsKind;
import dev.millrace.connectors.api.lint.SettingsPlace;
import dev.millrace.deploy.local.Installation;
import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.flink.runtime.util.EnvironmentInformation;

/** Flink's own file, in the new and in the old format, held against the version that the job runs on. */
public final class FlinkKind implements SettingsKind {
    /** The old format: no YAML, whatever it is called. */
    private static final String OLD = "flink-conf.yaml";

    @Override
    public String name() {
        return "flink";
    }

    @Override
    public List<String> fileNames() {
        return List.of("config.yaml", OLD);
    }

    @Override
    public List<SettingLine> parse(String fileName, String text) {
        return fileName.equals(OLD) ? FlinkText.lines(text) : FlinkText.yaml(text);
    }

    @Override
    public boolean isProperties() {
        return false;
    }

    /** What Flink's operator writes its file of. */
    @Override
    public List<SettingsPlace> places() {
        return List.of(
                SettingsPlace.in("FlinkDeployment", "spec.flinkConfiguration").separatedBy(FlinkText.SEPARATOR));
    }

    @Override
    public KnownSettings known() {
        List<Path> jars = Stream.of(Installation.here().flinkClassPath().split(File.pathSeparator))
                .map(Path::of)
                .toList();
        return known(jars);
    }

    /** @param jars of Flink, as far as their options are wanted */
    static KnownSettings known(List<Path> jars) {
        FlinkOptions options = FlinkOptions.of(jars);
        return new KnownSettings(
                "Flink " + EnvironmentInformation.getVersion(),
                options.settings(),
                options.openPrefixes(),
                Advice.of(FlinkKind.class, "flink.advice"));
    }
}
