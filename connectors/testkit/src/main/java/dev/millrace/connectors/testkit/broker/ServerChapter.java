package dev.millrace.connectors.testkit.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.connectors.api.broker.Capability;
import dev.millrace.connectors.api.broker.LocalBroker;
import dev.millrace.connectors.api.broker.Publisher;
import dev.millrace.connectors.api.broker.SourceSpec;
import dev.millrace.connectors.api.broker.StartFrom;
import dev.millrace.connectors.api.broker.Subscriber;
import dev.millrace.connectors.api.local.Ports;
import dev.millrace.core.settings.UserException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The server's process: its signals, its port, what it survives, and what is left when all is closed. */
interface ServerChapter extends Chapter {

    @Test
    @DisplayName("the server is alive, has an address on loopback and a log")
    default void alive() {
        LocalBroker local = bench().local();
        assertThat(local.isAlive()).isTrue();
        assertThat(local.address()).startsWith("127.0.0.1:");
        assertThat(local.options().get("address")).contains(local.address());
        assertThat(Files.exists(local.log())).isTrue();
    }

    @Test
    @DisplayName("a server that is a Java process leaves no figures for other tools in the system's own folder")
    default void nothingElsewhere() {
        Path figures = Path.of("/tmp", "hsperfdata_" + System.getProperty("user.name"));
        assertThat(figures.resolve(Long.toString(bench().local().pid()))).doesNotExist();
    }

    @Test
    @DisplayName("a port that was named and is taken is refused with that port")
    default void takenPort() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = Integer.toString(taken.getLocalPort());
            assertThatThrownBy(() -> bench().broker()
                            .startLocal(
                                    bench().directory().resolve("taken"),
                                    bench().localOptions().with("port", port))
                            .close())
                    .isInstanceOf(UserException.class)
                    .hasMessageContaining(port);
        }
    }

    @Test
    @DisplayName("a server that is running is taken over, not started again")
    default void takesOver() {
        String topic = bench().filledTopic(1, 10);
        LocalBroker again = bench().broker().startLocal(bench().directory(), bench().localOptions());
        assertThat(again.pid()).isEqualTo(bench().local().pid());
        assertThat(again.address()).isEqualTo(bench().local().address());
        try (BrokerClient client = bench().broker().connect(again.options())) {
            assertThat(client.partitions(topic)).isEqualTo(1);
        }
    }

    @Test
    @DisplayName("after pause and resume everything is as before")
    default void pauseAndResume() {
        String topic = bench().filledTopic(2, 100);
        bench().local().pause();
        assertThat(bench().local().isAlive()).isTrue();
        bench().local().resume();
        bench().publish(topic, Message.numbered(10, 100, 100));
        assertThat(Stored.texts(bench().read(topic, 200)))
                .containsExactlyInAnyOrderElementsOf(Message.texts(Message.numbered(10, 0, 200)));
    }

    @Test
    @DisplayName("a server that was killed comes back on the same address; where its data survives, it has them all,"
            + " and a source rides over it without loss or double")
    default void killAndRestart() {
        if (!bench().can(Capability.SURVIVES_KILL)) {
            bench().filledTopic(2, 500);
            killThenRestart(() -> {});
            bench().filledTopic(2, 10);
            return;
        }
        String topic = bench().filledTopic(2, 500);
        SourceSpec spec = SourceSpec.of(topic, "over-kill");
        try (SourceHarness<?, ?> source = bench().open(bench().broker().source(bench().options(), spec))) {
            source.untilRecords(500);
            killThenRestart(() -> source.run(Duration.ofSeconds(1)));
            assertThat(Stored.texts(bench().read(topic, 500)))
                    .containsExactlyInAnyOrderElementsOf(Message.texts(Message.numbered(10, 0, 500)));
            bench().publish(topic, Message.numbered(10, 500, 500));
            source.untilRecords(1_000);
            source.run(Duration.ofMillis(300));
            assertThat(Stored.texts(source.records()))
                    .containsExactlyInAnyOrderElementsOf(Message.texts(Message.numbered(10, 0, 1_000)));
        }
    }

    private void killThenRestart(Runnable between) {
        String address = bench().local().address();
        bench().local().kill();
        assertThat(bench().local().isAlive()).isFalse();
        between.run();
        bench().local().restart();
        assertThat(bench().local().isAlive()).isTrue();
        assertThat(bench().local().address()).isEqualTo(address);
    }

    @Test
    @DisplayName("publishing rides over a kill without loss or double when that is declared")
    default void publishingOverKill() {
        if (!bench().can(Capability.IDEMPOTENT_OVER_KILL)) {
            return;
        }
        String topic = bench().topic(2);
        List<Message> messages = Message.numbered(10, 0, 3_000);
        try (BrokerClient client = bench().connect();
                Publisher publisher = client.publisher(topic, "over-kill")) {
            Receipts receipts = new Receipts();
            for (Message message : messages.subList(0, 1_000)) {
                Await.until(bench().bound(), "an offer was accepted", () -> receipts.offer(publisher, message));
            }
            bench().local().kill();
            for (Message message : messages.subList(1_000, 2_000)) {
                Await.until(bench().bound(), "an offer was accepted", () -> receipts.offer(publisher, message));
            }
            bench().local().restart();
            for (Message message : messages.subList(2_000, 3_000)) {
                Await.until(bench().bound(), "an offer was accepted", () -> receipts.offer(publisher, message));
            }
            assertThat(publisher.flush(Duration.ofSeconds(60))).isTrue();
            assertThat(receipts.notExactlyOne()).isZero();
            assertThat(receipts.stored()).hasSize(3_000);
        }
        assertThat(Stored.texts(bench().read(topic, 3_000)))
                .containsExactlyInAnyOrderElementsOf(Message.texts(messages));
    }

    @Test
    @DisplayName("closing client, publisher, subscriber and source leaves no thread behind")
    default void noThreadLeft() {
        String topic = bench().filledTopic(2, 100);
        bench().read(topic, 100);
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        try (BrokerClient client = bench().connect();
                Publisher publisher = client.publisher(topic, "threads");
                Subscriber subscriber = client.subscriber(topic, new StartFrom.Earliest());
                SourceHarness<?, ?> source =
                        bench().open(bench().broker().source(bench().options(), SourceSpec.of(topic, "threads")))) {
            bench().offerAll(publisher, Message.numbered(10, 100, 10));
            assertThat(publisher.flush(bench().bound())).isTrue();
            assertThat(bench().read(subscriber, 110)).hasSize(110);
            source.untilRecords(110);
            source.complete(source.checkpoint());
            source.step();
        }
        boolean gone = Await.within(bench().bound(), () -> threadsSince(before).isEmpty());
        assertThat(threadsSince(before)).as("threads left behind (%s)", gone).isEmpty();
    }

    private static Set<String> threadsSince(Set<Thread> before) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !before.contains(thread) && thread.isAlive())
                .map(Thread::getName)
                // The JDK's own: they come and go by themselves.
                .filter(name -> !name.startsWith("process reaper")
                        && !name.startsWith("ForkJoinPool.commonPool")
                        && !name.startsWith("Attach Listener"))
                .collect(Collectors.toSet());
    }

    @Test
    @DisplayName("closing a server leaves no process, frees its port and keeps its directory")
    default void closingServer() {
        LocalBroker other = bench().broker().startLocal(bench().directory().resolve("other"), bench().localOptions());
        long pid = other.pid();
        int port = Integer.parseInt(other.address().substring(other.address().lastIndexOf(':') + 1));
        assertThat(pid == 0 || ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false))
                .isTrue();
        other.close();
        assertThat(other.isAlive()).isFalse();
        assertThat(pid == 0
                        || ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isEmpty())
                .isTrue();
        Await.until(bench().bound(), "the port is free", () -> Ports.isFree(port));
        assertThat(Files.isDirectory(bench().directory().resolve("other"))).isTrue();
    }
}
