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
}
