package dev.millrace.perf.fanout;

import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.Options;
import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.local.Installation;
import dev.millrace.perf.process.Orders;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The process: reads as reader groups, or copies a topic, as its {@link Orders} say. */
public final class Worker {
    /** What an order's {@code do} may be. */
    static final String GROUPS = "groups";

    static final String COPIES = "copies";
    static final String LOOK = "look";
    static final String END = "end";

    private static final long BEGIN_SECONDS = 60;

    private @Nullable BrokerClient client;
    private final List<Task> tasks = new ArrayList<>();

    private Worker() {}

    public static void main(String[] arguments) {
        Orders.obey(new Worker()::obey);
    }

    private Map<String, String> obey(String name, Map<String, String> order) throws InterruptedException {
        switch (name) {
            case GROUPS -> begin(order, this::groups);
            case COPIES -> begin(order, this::copies);
            case LOOK -> {
                return look();
            }
            case END -> {
                return end(order);
            }
            default -> throw new UserException("there is no order '" + name + "'");
        }
        return Map.of();
    }

    /** Makes the tasks of an order. */
    private interface Tasks {
        List<Task> of(BrokerClient client, Map<String, String> order);
    }

    private void begin(Map<String, String> order, Tasks made) throws InterruptedException {
        Options options = Options.of(order);
        BrokerClient open = Installation.here().load(order.get("broker")).connect(options.under("broker."));
        client = open;
        tasks.addAll(made.of(open, order));
        tasks.forEach(Task::start);
        for (Task task : tasks) {
            if (!task.awaitBegin(BEGIN_SECONDS)) {
                throw new EnvironmentException("a reader group got nothing within " + BEGIN_SECONDS + " s");
            }
        }
    }

    private List<Task> groups(BrokerClient open, Map<String, String> order) {
        List<Task> groups = new ArrayList<>();
        for (int i = 0; i < Integer.parseInt(order.get("count")); i++) {
            String own = "group." + i + ".";
            groups.add(new GroupTask(
                    open,
                    new GroupTask.Order(
                            order.get(own + "topic"),
                            order.get(own + "name"),
                            PositionText.parse(order.get(own + "from")),
                            Long.parseLong(order.get(own + "rate")),
                            Boolean.parseBoolean(order.get("waits")))));
        }
        return groups;
    }

    private List<Task> copies(BrokerClient open, Map<String, String> order) {
        return List.of(new CopyTask(
                open,
                order.get("topic"),
                order.get("name"),
                PositionText.parse(order.get("from")),
                Arrays.asList(order.get("copies").split(","))));
    }

    private Map<String, String> look() {
        Map<String, String> answer = new TreeMap<>();
        for (int i = 0; i < tasks.size(); i++) {
            String own = i + ".";
            tasks.get(i).look().forEach((key, value) -> answer.put(own + key, value));
        }
        answer.put("nanos", Long.toString(System.nanoTime()));
        return answer;
    }

    private Map<String, String> end(Map<String, String> order) throws InterruptedException {
        for (int i = 0; i < tasks.size(); i++) {
            String until = order.get("until." + i);
            if (until != null) {
                tasks.get(i).until(PositionText.parse(until));
            }
        }
        long deadline = System.nanoTime() + Long.parseLong(order.get("bound-seconds")) * 1_000_000_000L;
        for (int i = 0; i < tasks.size(); i++) {
            long left = Math.max(0, (deadline - System.nanoTime()) / 1_000_000_000L);
            tasks.get(i).end(!order.containsKey("until." + i), left);
        }
        Map<String, String> answer = look();
        tasks.clear();
        if (client != null) {
            client.close();
            client = null;
        }
        return answer;
    }
}
