package dev.millrace.deploy.local.lifecycle;

import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.Options;
import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.local.StackFile;
import dev.millrace.deploy.local.StackSettings;
import dev.millrace.deploy.local.StackState;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The old stack, to be there again after another one was tried in its place. */
final class TakenBack {
    private static final Logger LOG = LoggerFactory.getLogger(TakenBack.class);

    private TakenBack() {}

    /**
     * With the partitions that the topic has by now: what was added cannot be taken away, and what was not is not added for a stack
     * that did not start.
     *
     * @param connect to the broker
     * @param ways in which it may be reached, the likeliest first; where it answers in none, the partitions may have been added
     */
    static StackFile of(StackPlan plan, Function<Options, BrokerClient> connect, List<Options> ways) {
        int here = plan.here().settings().partitions();
        int asked = plan.there().settings().partitions();
        int partitions = asked <= here
                ? here
                : Math.max(
                        here,
                        partitions(plan.here().settings().topic(), connect, ways)
                                .orElse(asked));
        return plan.here().after(plan.there(), partitions);
    }

    /** Ways to the broker: what the supervisors of either stack have said, or their settings where a person runs it. */
    static List<Options> ways(StackPlan plan, Stream<StackState> said) {
        StackSettings here = plan.here().settings();
        return here.isForeignBroker()
                ? List.of(here.foreignBrokerOptions())
                : said.map(StackState::brokerOptions)
                        .filter(options -> !options.asMap().isEmpty())
                        .distinct()
                        .toList();
    }

    private static OptionalInt partitions(String topic, Function<Options, BrokerClient> connect, List<Options> ways) {
        for (Options way : ways) {
            try (BrokerClient client = connect.apply(way)) {
                return OptionalInt.of(client.partitions(topic));
            } catch (UserException | EnvironmentException e) {
                LOG.info("the broker does not say how many partitions there are: {}", e.getMessage());
            }
        }
        return OptionalInt.empty();
    }
}
