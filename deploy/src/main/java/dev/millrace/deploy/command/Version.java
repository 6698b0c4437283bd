package dev.millrace.deploy.command;

import dev.millrace.deploy.local.Installation;
import dev.millrace.deploy.local.Revision;
import org.apache.flink.runtime.util.EnvironmentInformation;
import picocli.CommandLine.IVersionProvider;

/** What {@code millrace --version} says: which build this is and what it stands on, as a report of a fault needs it. */
final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
        // A jar has it in its manifest, a folder of classes has none.
        String version = Version.class.getPackage().getImplementationVersion();
        return new String[] {
            "millrace " + (version == null ? "without a version" : version)
                    + Revision.of(Installation.here().root())
                            .map(revision -> ", built from commit " + revision)
                            .orElse(""),
            "Flink    " + EnvironmentInformation.getVersion(),
            "Java     " + Runtime.version() + " (" + System.getProperty("java.vendor") + ")",
            "OS       " + System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                    + System.getProperty("os.arch")
        };
    }
}
