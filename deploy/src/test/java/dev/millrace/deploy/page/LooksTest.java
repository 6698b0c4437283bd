package dev.millrace.deploy.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.deploy.look.StackStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class LooksTest {
    private static final Duration EVERY = Duration.ofMillis(200);
    private static final Duration AFTER = Duration.ofMillis(700);
    private static final Duration BOUND = Duration.ofSeconds(20);

    private final MadeUpLooks madeUp = new MadeUpLooks();

    private Looks looks(Supplier<StackStatus> look) {
        return new Looks(look, new Looks.Pace(EVERY, AFTER), madeUp);
    }

    private static Looks.Answer ask(Looks looks) throws Exception {
        return looks.ask().get(BOUND.toSeconds(), TimeUnit.SECONDS);
    }

    private static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + BOUND.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            LockSupport.parkNanos(5_000_000);
        }
    }

    @Test
    void looksKeepTheirDistanceHoweverOftenSomebodyAsks() throws Exception {
        List<Long> starts = Collections.synchronizedList(new ArrayList<>());
        long begin = System.nanoTime();
        try (Looks looks = looks(() -> {
            starts.add(System.nanoTime());
            return madeUp.get();
        })) {
            while (starts.size() < 4) {
                ask(looks);
            }
        }
        // Each is noted after its start, and starts are so far apart: a thread that has to wait only makes this longer.
        assertThat(Duration.ofNanos(starts.get(3) - begin)).isGreaterThanOrEqualTo(EVERY.multipliedBy(3));
    }

    @Test
    void nobodyLooksWhenNobodyAsksAndTheNextQuestionGetsALookOfItsOwn() throws Exception {
        try (Looks looks = looks(madeUp)) {
            assertThat(madeUp.made).hasValue(0);
            String first = ask(looks).json();
            await(() -> Thread.getAllStackTraces().keySet().stream()
                    .noneMatch(thread -> thread.getName().equals("live-look")));
            int made = madeUp.made.get();
            // Until then the last look is of late, and would be the answer.
            long tooOld = System.nanoTime() + AFTER.toNanos();
            await(() -> System.nanoTime() > tooOld);
            assertThat(madeUp.made).hasValue(made);
            assertThat(ask(looks).json()).isNotEqualTo(first);
            assertThat(madeUp.made.get()).isGreaterThan(made);
        }
    }

    @Test
    void theLookAfterOneThatFailedWorks() throws Exception {
        madeUp.failures.set(1);
        try (Looks looks = looks(madeUp)) {
            assertThat(ask(looks).status()).isEqualTo(503);
            await(() -> {
                try {
                    return ask(looks).status() == 200;
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            });
        }
    }

    @Test
    void aLookThatFoundNoThreadIsTriedAgain() throws Exception {
        AtomicBoolean isShort = new AtomicBoolean(true);
        try (Looks looks = looks(() -> {
            if (isShort.getAndSet(false)) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            return madeUp.get();
        })) {
            assertThat(ask(looks).json()).contains("unable to create native thread");
            await(() -> {
                try {
                    return ask(looks).status() == 200;
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            });
        }
    }

    @Test
    void whatTheClassPathLacksIsASentenceToo() throws Exception {
        try (Looks looks = looks(() -> {
            throw new NoClassDefFoundError("river/Client");
        })) {
            assertThat(ask(looks).json()).contains("river/Client");
        }
    }
}
