package dev.millrace.connectors.generator;

import dev.millrace.core.audit.Ledger;
import dev.millrace.core.audit.LedgerFile;
import dev.millrace.core.generate.GeneratorSettings;
import dev.millrace.core.generate.Schedule;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Writes the ledger's snapshots: several a second on a thread of its own, and when something ends. Thread-safe. */
final class LedgerWriter {
    private static final Duration EVERY = Duration.ofMillis(200);
    private static final long END_SECONDS = 5;

    private final LedgerFile file;
    private final GeneratorSettings settings;
    private final Schedule schedule;
    private final Acknowledgements acknowledgements;
    private final Clock clock;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread made = new Thread(task, "generator-ledger");
        made.setDaemon(true);
        return made;
    });
    /** Changed by the generator's thread alone. */
    private volatile Ledger.State state = Ledger.State.RUNNING;

    LedgerWriter(
            LedgerFile file,
            GeneratorSettings settings,
            Schedule schedule,
            Acknowledgements acknowledgements,
            boolean paused,
            Clock clock) {
        this.file = file;
        this.settings = settings;
        this.schedule = schedule;
        this.acknowledgements = acknowledgements;
        this.state = paused ? Ledger.State.PAUSED : Ledger.State.RUNNING;
        this.clock = clock;
    }

    /**
     * Begins to write; what goes wrong is told once to {@code failed}, and then nothing more is written. That it runs is on disk when
     * this returns: a ledger that says stopped says that nothing is on its way, and is not read back.
     */
    void start(Consumer<RuntimeException> failed) {
        write();
        thread.scheduleWithFixedDelay(
                FirstFailure.told(this::write, failed), EVERY.toMillis(), EVERY.toMillis(), TimeUnit.MILLISECONDS);
    }

    /**
     * What people want. On disk when this returns and so before anything else is sent: a ledger that says paused says that
     * nothing is on its way.
     */
    void paused(boolean paused) {
        Ledger.State now = paused ? Ledger.State.PAUSED : Ledger.State.RUNNING;
        // Asked at every step: behind the lock the sending thread would wait for the disk whenever a snapshot is
        // written.
        if (state == now) {
            return;
        }
        synchronized (this) {
            state = now;
            write();
        }
    }

    /** Ends the thread and writes for the last time; in order or as it was. */
    void end(boolean inOrder) {
        thread.shutdown(); // not an interrupt: it would close the file that is being written
        try {
            thread.awaitTermination(END_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        synchronized (this) {
            state = inOrder ? Ledger.State.STOPPED : state;
            write();
        }
    }

    /** One at a time, so that an older view never replaces a newer one. */
    private synchronized void write() {
        Acknowledgements.View view = acknowledgements.snapshot();
        file.snapshot(new Ledger(
                settings,
                schedule,
                state,
                clock.micros() / 1000,
                view.offeredTo(),
                view.acknowledged(),
                view.readBackFrom()));
    }
}
