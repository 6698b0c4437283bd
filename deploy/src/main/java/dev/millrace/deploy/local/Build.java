package dev.millrace.deploy.local;

import java.nio.file.Path;
import java.util.List;

/**
 * What of a clone a stack's processes run, by SHA-256 in hexadecimal: a build may replace it while they run, so the run directory keeps
 * its own copies, and another one is a change of the stack.
 *
 * @param jobJar empty in a file of an older version
 * @param plugin of the broker's plugin, all its jars; empty in a file of an older version
 */
public record Build(String jobJar, String plugin) {
    static final Build UNKNOWN = new Build("", "");

    static Build of(Path jobJar, List<Path> plugin) {
        return new Build(Sha256.of(jobJar), ofPlugin(plugin));
    }

    /** Of the names and contents of a plugin's jars. */
    static String ofPlugin(List<Path> jars) {
        Sha256 all = new Sha256();
        jars.forEach(jar -> all.add(jar.getFileName().toString()).add(Sha256.of(jar)));
        return all.hex();
    }

    /** The copy of the job jar below {@code folder}. */
    public Path jobJarIn(Path folder) {
        return folder.resolve("millrace-job-" + jobJar + ".jar");
    }

    /** The folder with the copies of the plugin's jars below {@code folder}. */
    public Path pluginIn(Path folder) {
        return folder.resolve("plugin-" + plugin);
    }
}
