package dev.millrace.connectors.testkit.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.connectors.api.broker.Capability;
import dev.millrace.connectors.api.broker.LocalBroker;
import dev.millrace.connectors.api.broker.SinkSpec;
import dev.millrace.connectors.api.broker.SourceSpec;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.Options;
import dev.millrace.core.settings.UserException;
import java.time.Duration;
import java.util.OptionalLong;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Options: unknown ones, wrong ones, missing ones, and an address where nobody answers. */
interface OptionsChapter extends Chapter {
    String ADDRESS_TYPO = "adress";

    private Options withTypo() {
        return bench().options().with(ADDRESS_TYPO, "127.0.0.1:1");
    }

    private static void refusesTypo(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOf(UserException.class)
                .hasMessageContaining("'" + ADDRESS_TYPO + "'")
                .hasMessageContaining("Did you mean 'address'?");
    }

    @Test
    @DisplayName("an unknown option of the source is refused with the nearest known one")
    default void unknownOptionOfSource() {
        refusesTypo(() -> bench().broker().source(withTypo(), SourceSpec.of("any", "any")));
    }

    @Test
    @DisplayName("an unknown option of the sink is refused with the nearest known one")
    default void unknownOptionOfSink() {
        refusesTypo(() -> bench().broker().sink(withTypo(), new SinkSpec<>("any", new SinkChapter.NumberEncoder())));
    }

    @Test
    @DisplayName("an unknown option of a connection is refused with the nearest known one")
    default void unknownOptionOfConnect() {
        refusesTypo(() -> bench().broker().connect(withTypo()).close());
    }

    @Test
    @DisplayName("an unknown option of a local server is refused with the nearest known one and nothing starts")
    default void unknownOptionOfLocal() {
        assertThatThrownBy(() -> bench().broker()
                        .startLocal(
                                bench().directory().resolve("refused"),
                                bench().localOptions().with("prot", "1"))
                        .close())
                .isInstanceOf(UserException.class)
                .hasMessageContaining("'prot'")
                .hasMessageContaining("Did you mean 'port'?");
        assertThat(bench().directory().resolve("refused")).doesNotExist();
    }

    @Test
    @DisplayName("all that is wrong with the options is said at once")
    default void allProblemsAtOnce() {
        Options wrong = bench().localOptions()
                .with("port", "many")
                .with("memory", "much")
                .with("nonsense", "1");
        assertThatThrownBy(() -> bench().broker()
                        .startLocal(bench().directory().resolve("refused"), wrong)
                        .close())
                .isInstanceOf(UserException.class)
                .hasMessageContaining("'port'")
                .hasMessageContaining("'memory'")
                .hasMessageContaining("'nonsense'");
    }

    @Test
    @DisplayName(
            "a local server hands compression on to its clients when that is declared and refuses it when it is not")
    default void handsCompressionOn() {
        Options options = bench().localOptions().with("compression", "lz4");
        if (bench().can(Capability.COMPRESSES)) {
            // Taken over: none is started.
            LocalBroker local = bench().broker().startLocal(bench().directory(), options);
            assertThat(local.options().get("compression"))
                    .as("compression, in the options for clients of a server that was started with it")
                    .contains("lz4");
        } else {
            assertThatThrownBy(() -> bench().broker()
                            .startLocal(bench().directory().resolve("refused"), options)
                            .close())
                    .isInstanceOf(UserException.class)
                    .hasMessageContaining("compression");
        }
    }

    @Test
    @DisplayName("a plugin that says what a local server may take says what the option memory says")
    default void memoryOfLocal() {
        OptionalLong said =
                bench().broker().localMemoryBytes(bench().localOptions().with("memory", "1GiB"));
        assertThat(said).isIn(OptionalLong.empty(), OptionalLong.of(1L << 30));
    }

    @Test
    @DisplayName("what only a local server is told the plugin names, and nothing that a client is told")
    default void ofLocalServer() {
        Options given = bench().options().with("port", "1").with("memory", "1GiB");
        assertThat(bench().broker().ofLocalServer(given)).contains("memory", "port");
        Options ofClient = Options.none().with("address", "127.0.0.1:1");
        assertThat(bench().broker().ofLocalServer(ofClient)).isEmpty();
    }

    @Test
    @DisplayName("without an address the message says which key is missing")
    default void missingAddress() {
        assertThatThrownBy(() -> bench().broker().connect(Options.none()).close())
                .isInstanceOf(UserException.class)
                .hasMessageContaining("address");
    }

    @Test
    @DisplayName("an address where nobody answers is a sentence with that address, within the bound")
    default void nobodyAnswers() {
        Bench.Attempt attempt = bench().attemptAtNobody();
        assertThat(attempt.failure()).isInstanceOf(EnvironmentException.class).hasMessageContaining(attempt.address());
        assertThat(attempt.took()).isLessThan(Duration.ofSeconds(40));
    }
}
