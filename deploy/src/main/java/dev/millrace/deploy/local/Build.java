package dev.millrace.deploy.local;

/**
 * What of a clone a stack's processes run, by SHA-256 in hexadecimal: a build may replace it while they run, so the run directory keeps
 * its own copies, and another one is a change of the stack.
 *
 * @param jobJar empty in a file of an older version
 * @param plugin of the broker's plugin, all its jars; empty in a file of an older version
 */
record Build(String jobJar, String plugin) {
    static final Build UNKNOWN = new Build("", "");
}
