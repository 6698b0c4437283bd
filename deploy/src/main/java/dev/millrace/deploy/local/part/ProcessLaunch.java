package dev.millrace.deploy.local.part;

import java.util.List;

/**
 * How a process of a stack is started this time.
 *
 * @param settings all that its files say: one that runs with others, or by another command, is replaced
 * @param url where people or commands reach it; empty for none
 * @param metricsUrl its Prometheus endpoint; empty for none
 */
public record ProcessLaunch(List<String> command, String settings, String url, String metricsUrl) {

    /** All that makes it another one. */
    String all() {
        return String.join("\n", command) + "\n" + settings;
    }
}
