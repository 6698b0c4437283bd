package dev.millrace.deploy.local;

import com.fasterxml.jackson.databind.JsonNode;

/** Asks the JobManager how its one job is. */
final class JobProbe {
    private JobProbe() {}

    /** Flink's word (RUNNING, RESTARTING, FINISHED, FAILED ...); empty when nobody answers or there is no job yet. */
    static String state(String webUrl) {
        for (JsonNode job : Http.json(webUrl + "/jobs/overview")
                .map(answer -> answer.path("jobs"))
                .orElse(com.fasterxml.jackson.databind.node.MissingNode.getInstance())) {
            return job.path("state").asText();
        }
        return "";
    }
}
