package dev.millrace.brokers.memory;

import dev.millrace.connectors.api.broker.Broker;
import dev.millrace.connectors.testkit.broken.LosesOneReading;
import dev.millrace.connectors.testkit.broker.BrokerContract;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** As {@link BrokenBrokersTest}; a class of its own because eleven sentences wait in vain for what is lost. */
@Tag("server")
@DisplayName("the contract finds a broker that")
class LosingBrokerTest {
    @Test
    @DisplayName("loses one reading")
    void loses() {
        BrokenBrokersTest.finds(
                Loses.class,
                BrokenBrokersTest.TWICE_MADE,
                BrokenBrokersTest.RECEIPTS,
                BrokenBrokersTest.ORDER,
                BrokenBrokersTest.EARLIEST,
                BrokenBrokersTest.SOURCE_ORDER,
                BrokenBrokersTest.RESTART,
                BrokenBrokersTest.REWINDS,
                BrokenBrokersTest.SOURCE_END,
                BrokenBrokersTest.SUBSCRIBER_END,
                BrokenBrokersTest.NO_THREAD,
                BrokenBrokersTest.SILENT);
    }

    static class Loses extends BrokerContract implements Broken {
        @Override
        public Broker broker() {
            return new LosesOneReading(new MemoryBroker());
        }
    }
}
