package dev.millrace.perf.variant;

import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.local.Installation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Where the jars of a variant are in the clone. */
public record ClassPaths(Installation installation) {

    /** Whether everything that the variant needs for that broker is built. */
    public boolean has(String broker, Variant variant) {
        return own(broker, variant).stream().allMatch(Files::isDirectory);
    }

    /** The class path of the process that drains; what is not built is a sentence. */
    public String of(String broker, Variant variant) {
        for (Path folder : own(broker, variant)) {
            if (!Files.isDirectory(folder)) {
                throw new UserException("variant '" + variant.word() + "' of broker '" + broker
                        + "' is not built (there is no " + folder + "); build it: "
                        + installation.inClone("mvn -q -P " + broker + ",baselines package")
                        + ", or leave it out: --variants");
            }
        }
        List<String> path = new ArrayList<>();
        path.add(installation.jobJar().toString());
        own(broker, variant).forEach(folder -> path.add(folder.resolve("*").toString()));
        path.add(installation.flinkClassPath());
        return String.join(":", path);
    }

    private List<Path> own(String broker, Variant variant) {
        Path baseline = installation
                .root()
                .resolve("brokers")
                .resolve(broker)
                .resolve("baseline")
                .resolve("target");
        List<Path> folders = new ArrayList<>();
        folders.add(installation.root().resolve("perf/baselines/target/drain"));
        switch (variant) {
            case PLAIN, OURS -> folders.add(installation.pluginFolder(broker));
            case STOCK, PUBLISHED -> folders.add(baseline.resolve("official"));
            case RAW -> {
                folders.add(baseline.resolve("raw"));
                folders.add(installation.pluginFolder(broker));
            }
        }
        return folders;
    }
}
