package dev.millrace.perf.publish;

import dev.millrace.core.generate.GeneratorSettings;
import dev.millrace.core.settings.Options;
import dev.millrace.perf.round.RoundOptions;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What every run of a call has in common, from the options of {@code --up}.
 *
 * @param server of the broker that is started, and of its clients
 */
record PublishLoad(int partitions, int payloadBytes, Options server) {
    private static final String BROKER = "broker.";

    /** What is wrong with the options, or is not of a publisher, goes to {@code problems}. */
    static PublishLoad of(Map<String, String> up, List<String> problems) {
        Map<String, String> left = new TreeMap<>(up);
        Map<String, String> server = new TreeMap<>();
        up.keySet().stream().filter(key -> key.startsWith(BROKER)).forEach(key -> {
            server.put(key.substring(BROKER.length()), left.remove(key));
        });
        String memory = left.remove("broker-memory");
        if (memory != null) {
            server.put("memory", memory);
        }
        int partitions = number("partitions", left.remove("partitions"), 4, 1, 1000, problems);
        int bytes = number("payload-bytes", left.remove("payload-bytes"), 300, 200, 1 << 20, problems);
        left.keySet()
                .forEach(key -> problems.add("--up " + key + " is nothing of a publisher; there are: partitions,"
                        + " payload-bytes, broker-memory, broker.KEY"));
        return new PublishLoad(partitions, bytes, Options.of(server));
    }

    /** Of the name of a device, which is a reading's key; all are as long. */
    int keyBytes() {
        return new GeneratorSettings(1, 1, 0, payloadBytes, 1, 0, 0, 0)
                .deviceId(0)
                .length();
    }

    private static int number(String key, String text, int otherwise, int least, int most, List<String> problems) {
        if (text == null) {
            return otherwise;
        }
        String right = "--up " + key + " is '" + text + "'; it must be a whole number from " + least + " to " + most;
        try {
            int value = Integer.parseInt(text.trim());
            RoundOptions.check(problems, value >= least && value <= most, right);
            return value;
        } catch (NumberFormatException e) {
            problems.add(right);
            return otherwise;
        }
    }
}
