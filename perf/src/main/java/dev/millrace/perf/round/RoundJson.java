package dev.millrace.perf.round;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.perf.probe.Disturbance;
import dev.millrace.perf.probe.MachineUse;
import java.util.Map;

/** The document of a benchmark in rounds; a number that is not known is null in it. Not thread-safe. */
public final class RoundJson {
    private final ObjectMapper mapper = new ObjectMapper();
    private final ObjectNode root = mapper.createObjectNode();

    /**
     * @param schema name and version of what the document holds
     * @param settings what was asked for, by name
     */
    public RoundJson(String schema, Map<String, String> settings) {
        root.put("schema", schema);
        set("settings", settings);
    }

    public ObjectNode root() {
        return root;
    }

    /** Puts a value that Jackson can write as it is. */
    public void set(String name, Object value) {
        root.set(name, mapper.valueToTree(value));
    }

    public static void put(ObjectNode node, String name, double value) {
        if (Double.isFinite(value)) {
            node.put(name, value);
        } else {
            node.putNull(name);
        }
    }

    /** What the machine counted while something was measured. */
    public static void put(ObjectNode node, MachineUse machine) {
        Disturbance disturbance = Disturbance.of(machine);
        put(node, "stolenShare", disturbance.stolenShare());
        put(node, "neighbourShare", disturbance.neighbourShare());
        put(node, "idleShare", machine.idleShare());
        put(node, "swappedPages", disturbance.swappedPages());
    }

    public String text() {
        try {
            return mapper.writerWithDefaultPrettyPrinter().writeValueAsString(root);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("the result is not JSON", e);
        }
    }
}
