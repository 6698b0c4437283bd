package dev.millrace.brokers.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.connectors.api.broker.Broker;
import dev.millrace.connectors.testkit.broken.ForgetsTheRestOfABatch;
import dev.millrace.connectors.testkit.broken.ReadsAgainAfterReconnect;
import dev.millrace.connectors.testkit.broken.RemembersPartitions;
import dev.millrace.connectors.testkit.broken.SendsAgainAfterReconnect;
import dev.millrace.connectors.testkit.broker.FaultContract;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/** As {@link BrokenBrokersTest}, of the sentences about faults. */
@Tag("server")
@DisplayName("the contract about faults finds a broker that")
class BrokenFaultsTest {
    private static final String CUT_PUBLISHING =
            "connections that are cut while readings are published lose none, double none and keep their order";
    private static final String CUT_READING =
            "connections that are cut while a backlog is read lose nothing, repeat nothing and keep the order";
    private static final String MID_BATCH =
            "a source killed and restored ten times in the middle of batches of 1,000 loses none and repeats none";

    private static final String MUTE =
            "of a server that is there and mute every question says within the bound that nobody answers";

    private static final List<String> ASKED = List.of(
            "cutWhilePublishing",
            "cutWhileReading",
            "longSilence",
            "killedInMidBatch(" + TestReporter.class.getName() + ")");

    private static void finds(Class<? extends FaultContract> contract, String... sentences) {
        assertThat(Broken.failures(contract, ASKED)).containsExactlyInAnyOrderElementsOf(Arrays.asList(sentences));
    }

    @Test
    @DisplayName("forgets the rest of a batch when it is restored")
    void forgets() {
        finds(Forgets.class, MID_BATCH);
    }

    @Test
    @DisplayName("reads again after a reconnect")
    void readsAgain() {
        finds(ReadsAgain.class, CUT_PUBLISHING, CUT_READING);
    }

    @Test
    @DisplayName("sends again after a reconnect")
    void sendsAgain() {
        finds(SendsAgain.class, CUT_PUBLISHING);
    }

    @Test
    @DisplayName("answers for a server that is mute")
    void remembers() {
        // Of the others it is not asked: whoever keeps this sentence keeps it for half a minute.
        assertThat(Broken.failures(Remembers.class, List.of("muteServer"))).containsExactly(MUTE);
    }

    @Test
    @DisplayName("has no fault, by failing nothing")
    void sound() {
        finds(Sound.class);
    }

    static class Sound extends FaultContract implements Broken {
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

    static class Forgets extends FaultContract implements Broken {
        @Override
        public Broker broker() {
            return new ForgetsTheRestOfABatch(new MemoryBroker());
        }
    }

    static class ReadsAgain extends FaultContract implements Broken {
        @Override
        public Broker broker() {
            return new ReadsAgainAfterReconnect(new MemoryBroker());
        }
    }

    static class Remembers extends FaultContract implements Broken {
        @Override
        public Broker broker() {
            return new RemembersPartitions(new MemoryBroker());
        }
    }

    static class SendsAgain extends FaultContract implements Broken {
        @Override
        public Broker broker() {
            return new SendsAgainAfterReconnect(new MemoryBroker());
        }
    }
}
