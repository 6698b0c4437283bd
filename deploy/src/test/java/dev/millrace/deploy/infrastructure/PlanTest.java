package dev.millrace.deploy.infrastructure;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class PlanTest {
    private static Plan plan(String actions, String before, String after) throws JsonProcessingException {
        return Plan.of(new ObjectMapper()
                .readTree(
                        """
                        {"resource_changes": [
                          {"type": "aws_eks_node_group", "change": {"actions": %s, "before": %s, "after": %s}},
                          {"type": "aws_eip", "change": {"actions": ["create"], "before": null, "after": {}}}
                        ]}
                        """
                                .formatted(actions, before, after)));
    }

    private static String group(int nodes) {
        return """
                {"node_group_name": "broker", "instance_types": ["i7i.8xlarge"], "scaling_config": [{"desired_size": %d}]}
                """
                .formatted(nodes);
    }

    @Test
    @DisplayName("machines that go are named, whether their group gets smaller, is made anew or goes as a whole")
    void fewer() throws JsonProcessingException {
        assertThat(plan("[\"create\"]", "null", group(3)).fewer()).isEmpty();
        assertThat(plan("[\"update\"]", group(3), group(6)).fewer()).isEmpty();
        assertThat(plan("[\"no-op\"]", group(3), group(3)).fewer()).isEmpty();
        Plan smaller = plan("[\"update\"]", group(6), group(3));
        assertThat(smaller.fewer()).containsExactly("broker 6 -> 3");
        assertThat(smaller.toDelete()).isZero();
        assertThat(plan("[\"delete\", \"create\"]", group(3), group(3)).fewer()).containsExactly("broker 3 -> others");
        assertThat(plan("[\"delete\"]", group(3), "null").fewer()).containsExactly("broker 3 -> 0");
    }

    /** Two templates, of machines with disks of their own and of others; what is known only afterwards is not in "after". */
    private static Plan ofTemplate(String group, String before, String after) throws JsonProcessingException {
        return Plan.of(new ObjectMapper()
                .readTree(
                        """
                        {"resource_changes": [
                          {"type": "aws_launch_template", "index": "broker",
                           "change": {"actions": ["update"], "before": {"user_data": "TUlNRQ=="}, "after": {"user_data": ""}}},
                          {"type": "aws_launch_template", "index": "flink",
                           "change": {"actions": ["update"], "before": {"user_data": ""}, "after": {"user_data": "TUlNRQ=="}}},
                          {"type": "aws_eks_node_group", "index": "%1$s", "change": {"actions": ["update"],
                           "before": {"node_group_name": "%1$s", "scaling_config": [{"desired_size": 3}], %2$s},
                           "after": {"node_group_name": "%1$s", "scaling_config": [{"desired_size": 4}], %3$s}}}
                        ]}
                        """
                                .formatted(group, before, after)));
    }

    @Test
    @DisplayName(
            "machines with disks of their own go when EKS puts others in their place; of machines without nothing is lost")
    void rolling() throws JsonProcessingException {
        String template = "\"launch_template\": [{\"id\": \"lt-1\", \"version\": \"%d\"}]";
        String unknown = "\"launch_template\": [{\"id\": \"lt-1\"}]";
        String version = "\"version\": \"1.%d\", \"release_version\": \"1.%d.0-2026\"";
        assertThat(ofTemplate("broker", template.formatted(1), template.formatted(2))
                        .fewer())
                .containsExactly("broker 3 -> others");
        assertThat(ofTemplate("broker", template.formatted(1), unknown).fewer()).containsExactly("broker 3 -> others");
        assertThat(ofTemplate("broker", version.formatted(34, 34), version.formatted(35, 34))
                        .fewer())
                .containsExactly("broker 3 -> others");
        assertThat(ofTemplate("broker", version.formatted(34, 34), version.formatted(34, 35))
                        .fewer())
                .containsExactly("broker 3 -> others");
        assertThat(ofTemplate("broker", template.formatted(1), template.formatted(1))
                        .fewer())
                .isEmpty();
        assertThat(ofTemplate("flink", template.formatted(1), unknown).fewer()).isEmpty();
    }

    @Test
    @DisplayName("what is billed beside machines is told with what no plan knows of; nothing when nothing is there")
    void billed() throws JsonProcessingException {
        assertThat(Plan.of(
                                new ObjectMapper()
                                        .readTree(
                                                """
                                        {"planned_values": {"root_module": {"resources": [{"type": "aws_eip"}, {"type": "aws_eip"}]}}}
                                        """))
                        .billedInWords())
                .containsExactly("2 public address", "100 GiB of gp3 for each node", "volumes that pods ask for");
        assertThat(Plan.of(new ObjectMapper().readTree("{}")).billedInWords()).isEmpty();
    }
}
