package dev.millrace.perf.publish;

import java.util.List;

/** How one side's process is started, and what it says of itself when it has ended. */
interface Publishing {

    /** The command's words after heap and collector, which are alike for both sides. */
    List<String> command();

    /** Throws EnvironmentException when it left nothing that says so. */
    PublishRun.Own own();
}
