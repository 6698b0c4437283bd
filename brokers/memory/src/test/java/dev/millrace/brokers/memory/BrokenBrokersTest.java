package dev.millrace.brokers.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.connectors.api.broker.Broker;
import dev.millrace.connectors.testkit.broken.BlocksInOffer;
import dev.millrace.connectors.testkit.broken.DropsCompression;
import dev.millrace.connectors.testkit.broken.EndsTooEarly;
import dev.millrace.connectors.testkit.broken.IgnoresUnknownOptions;
import dev.millrace.connectors.testkit.broken.LeavesAThreadBehind;
import dev.millrace.connectors.testkit.broken.ReceiptsTwice;
import dev.millrace.connectors.testkit.broken.RepeatsAfterRestart;
import dev.millrace.connectors.testkit.broken.SwapsTwoOfOneKey;
import dev.millrace.connectors.testkit.broker.BrokerContract;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Every fault is found by the sentences that forbid it, and by no other of those asked here. It needs no server but a minute (what
 * is lost is waited for), so it runs where the tests with servers run. {@link LosingBrokerTest} has the one that takes longest.
 */
@Tag("server")
@DisplayName("the contract finds a broker that")
class BrokenBrokersTest {
    static final String TWICE_MADE = "making a topic twice changes nothing";
    static final String RECEIPTS = "every accepted offer gets exactly one receipt and is stored once";
    static final String ORDER = "payloads of one key are stored in the order of their offers";
    static final String EARLIEST = "a subscriber from the earliest record reads everything once";
    static final String SOURCE_ORDER =
            "a partition's payloads come from the source in the order in which they are stored";
    static final String RESTART = "a restart from a checkpoint neither loses nor repeats";
    static final String REWINDS = "what was read after the checkpoint is read again after a restart, in the same order";
    private static final String OPTION_OF_SOURCE =
            "an unknown option of the source is refused with the nearest known one";
    private static final String OPTION_OF_SINK = "an unknown option of the sink is refused with the nearest known one";
    private static final String OPTION_OF_CONNECT =
            "an unknown option of a connection is refused with the nearest known one";
    private static final String COMPRESSION =
            "compression works when it is declared and the option is refused when it is not";
    private static final String COMPRESSION_HANDED_ON =
            "a local server hands compression on to its clients when that is declared and refuses it when it is not";
    static final String SOURCE_END = "the source confirms no end while records stand behind it";
    static final String SUBSCRIBER_END = "a subscriber confirms no end while records stand behind it";
    static final String NO_THREAD = "closing client, publisher, subscriber and source leaves no thread behind";
    static final String SILENT =
            "while the broker is silent an offer never blocks, a full buffer answers false and nothing is lost";

    /** The methods of the sentences above, and some that none of the faults touches. */
    private static final List<String> ASKED = List.of(
            "exactlyOneReceipt",
            "orderOfOneKey",
            "earliest",
            "sourceOrder",
            "restart",
            "rewinds",
            "endIsTheEnd",
            "subscribersEndIsTheEnd",
            "unknownOptionOfSource",
            "unknownOptionOfSink",
            "unknownOptionOfConnect",
            "compression",
            "handsCompressionOn",
            "noThreadLeft",
            "silentBroker",
            "name",
            "partitions",
            "createTwice",
            "takenPort",
            "emptyEnds");

    static void finds(Class<? extends BrokerContract> contract, String... sentences) {
        assertThat(Broken.failures(contract, ASKED)).containsExactlyInAnyOrderElementsOf(Arrays.asList(sentences));
    }

    @Test
    @DisplayName("swaps two readings of one key")
    void swaps() {
        finds(Swaps.class, ORDER, SOURCE_ORDER, REWINDS);
    }

    @Test
    @DisplayName("confirms an end too early")
    void endsTooEarly() {
        finds(Ends.class, SOURCE_END, SUBSCRIBER_END);
    }

    @Test
    @DisplayName("repeats after a restart")
    void repeats() {
        finds(Repeats.class, RESTART);
    }

    @Test
    @DisplayName("gives receipts twice")
    void twice() {
        finds(Twice.class, RECEIPTS, SILENT);
    }

    @Test
    @DisplayName("ignores unknown options")
    void ignores() {
        finds(Ignores.class, OPTION_OF_SOURCE, OPTION_OF_SINK, OPTION_OF_CONNECT, COMPRESSION, COMPRESSION_HANDED_ON);
    }

    @Test
    @DisplayName("says that it compresses and drops the option")
    void dropsCompression() {
        finds(Drops.class, COMPRESSION, COMPRESSION_HANDED_ON);
    }

    @Test
    @DisplayName("leaves a thread behind")
    void leaves() {
        finds(Leaves.class, NO_THREAD);
    }

    @Test
    @DisplayName("blocks in an offer")
    void blocks() {
        finds(Blocks.class, SILENT);
    }

    @Test
    @DisplayName("has no fault, by failing nothing")
    void sound() {
        finds(Sound.class);
    }

    static class Sound extends BrokerContract implements Broken {
        @Override
        public Broker broker() {
            return new MemoryBroker();
        }

        /** Here nothing is waited for in vain. */
        @Override
        public Duration bound() {
            return Duration.ofSeconds(60);
        }
    }

    static class Swaps extends BrokerContract implements Broken {
        @Override
        public Broker broker() {
            return new SwapsTwoOfOneKey(new MemoryBroker());
        }
    }

    static class Ends extends BrokerContract implements Broken {
        @Override
        public Broker broker() {
            return new EndsTooEarly(new MemoryBroker());
        }
    }

    static class Repeats extends BrokerContract implements Broken {
        @Override
        public Broker broker() {
            return new RepeatsAfterRestart(new MemoryBroker());
        }
    }

    static class Twice extends BrokerContract implements Broken {
        @Override
        public Broker broker() {
            return new ReceiptsTwice(new MemoryBroker());
        }
    }

    static class Ignores extends BrokerContract implements Broken {
        @Override
        public Broker broker() {
            return new IgnoresUnknownOptions(new MemoryBroker());
        }
    }

    static class Drops extends BrokerContract implements Broken {
        @Override
        public Broker broker() {
            return new DropsCompression(new MemoryBroker());
        }
    }

    static class Leaves extends BrokerContract implements Broken {
        @Override
        public Broker broker() {
            return new LeavesAThreadBehind(new MemoryBroker());
        }
    }

    static class Blocks extends BrokerContract implements Broken {
        @Override
        public Broker broker() {
            return new BlocksInOffer(new MemoryBroker());
        }
    }
}
