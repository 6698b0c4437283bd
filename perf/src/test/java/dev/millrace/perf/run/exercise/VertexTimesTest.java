package dev.millrace.perf.run.exercise;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.perf.probe.MetricsPage;
import java.util.List;
import org.junit.jupiter.api.Test;

class VertexTimesTest {
    @Test
    void sharesAreOfTheTimeBetweenTwoLooksOverAllSubtasks() {
        VertexTimes before = VertexTimes.of(List.of(
                value("Busy", "windows", 0, 100),
                value("BackPressured", "windows", 0, 0),
                value("Idle", "windows", 0, 900)));
        VertexTimes after = VertexTimes.of(List.of(
                value("Busy", "windows", 0, 400),
                value("BackPressured", "windows", 0, 200),
                value("Idle", "windows", 0, 1400),
                value("Busy", "Source:_north____decode", 0, 600),
                value("Busy", "Source:_north____decode", 1, 200),
                value("Idle", "Source:_north____decode", 1, 200),
                value("Idle", "dead_letters", 0, Double.NaN)));
        assertThat(after.since(before))
                .containsExactly(
                        new VertexTimes.Share("Source: north -> decode", 0.8, 0, 0.2),
                        new VertexTimes.Share("windows", 0.3, 0.2, 0.5));
    }

    private static MetricsPage.Value value(String kind, String task, int subtask, double millis) {
        return new MetricsPage.Value(
                "flink_taskmanager_job_task_accumulate" + kind + "TimeMs",
                "{task_id=\"1\",task_name=\"" + task + "\",subtask_index=\"" + subtask + "\",}",
                millis);
    }
}
