package dev.millrace.deploy.local.supervisor;

import dev.millrace.deploy.local.Http;

/** Asks the JobManager how its one job is. */
final class JobProbe {
    private JobProbe() {}

    /**
     * Flink's word (RUNNING, RESTARTING, FINISHED, FAILED ...); empty when nobody answers or that job is not there (yet): the
     * port may be another stack's by now.
     */
    static String state(String webUrl, String jobId) {
        return Http.json(webUrl + "/jobs/" + jobId)
                .map(job -> job.path("state").asText())
                .orElse("");
    }
}
