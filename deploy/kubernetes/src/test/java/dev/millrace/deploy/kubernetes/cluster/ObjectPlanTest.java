package dev.millrace.deploy.kubernetes.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ObjectPlanTest {
    private static List<String> differences(String here, String there) throws Exception {
        ObjectMapper json = new ObjectMapper();
        JsonNode one = json.readTree(here);
        JsonNode other = json.readTree(there);
        List<String> found = new ArrayList<>();
        ObjectPlan.differences("", one, other, found);
        return found;
    }

    @Test
    @DisplayName("each field that changes is named with its old and new value, and nothing else")
    void fields() throws Exception {
        assertThat(
                        differences(
                                """
                        {"spec":{"replicas":1,"containers":[{"image":"a","args":["x"]},{"image":"c"}],"gone":true}}""",
                                """
                        {"spec":{"replicas":2,"containers":[{"image":"b","args":["x","y"]},{"image":"c"}],"new":"n"}}"""))
                .containsExactly(
                        "spec.containers[0].args: [\"x\"] -> [\"x\",\"y\"]",
                        "spec.containers[0].image: a -> b",
                        "spec.gone: true -> (not set)",
                        "spec.new: (not set) -> n",
                        "spec.replicas: 1 -> 2");
        assertThat(differences("{\"a\":[1,2]}", "{\"a\":[1,2]}")).isEmpty();
    }
}
