package dev.millrace.deploy.look;

import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.connectors.api.store.RowColumns;
import dev.millrace.connectors.api.store.StoreClient;
import dev.millrace.connectors.api.store.StoreTable;
import dev.millrace.core.audit.Audit;
import dev.millrace.core.audit.AuditResult;
import dev.millrace.core.audit.LatestAudit;
import dev.millrace.core.audit.Ledger;
import dev.millrace.core.audit.ResultTopic;
import dev.millrace.core.generate.GeneratorSettings;
import dev.millrace.core.settings.UserException;
import dev.millrace.core.settings.Values;
import dev.millrace.core.settings.WindowSettings;
import dev.millrace.core.window.DeadLetter;
import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.deploy.local.StackSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Holds a stack's store, and its result topic, against the ledger of its generator, while all of them go on. Used by one
 * thread.
 */
public final class StackAudit {
    private static final Duration LEDGER_BOUND = Duration.ofSeconds(10);
    /** Of a row in the topic, at least: nearly all columns are numbers of 8 bytes. */
    private static final long ROW_BYTES = RowColumns.of(StoreTable.WINDOWS).size() * 8L;

    private static final Duration PAUSE = Duration.ofMillis(500);
    /** A second look tells what was in flight from what is wrong: nothing that is wrong mends itself. */
    private static final int LOOKS = 3;
    /** Windows with so few readings per device need not have one of every device. */
    private static final double READINGS_FOR_EVERY_DEVICE = 5;

    private final RunDirectory directory;
    private final StackSettings settings;
    private final StoreClient store;
    private final @Nullable BrokerClient broker;
    private final Consumer<String> progress;
    /** How far behind the closed windows the last look ended, since readings of later ones may be on their way. */
    private long heldBackMillis;

    /**
     * @param broker where the result topic is; null leaves it out
     * @param progress takes a line now and then
     */
    public StackAudit(
            RunDirectory directory,
            StackSettings settings,
            StoreClient store,
            @Nullable BrokerClient broker,
            Consumer<String> progress) {
        this.directory = directory;
        this.settings = settings;
        this.store = store;
        this.broker = broker;
        this.progress = progress;
    }

    /**
     * What was found.
     *
     * @param topic null when there is no result topic
     * @param topicRepeated rows of the topic that are repetitions, which is allowed
     * @param topicSuperseded rows of the topic that a later one of the same window contradicts: surplus, unless readings may be late
     */
    public record Finding(AuditResult store, @Nullable AuditResult topic, long topicRepeated, long topicSuperseded) {
        public boolean ok() {
            return store.ok() && (topic == null || topic.ok());
        }
    }

    /** Audits; waits at most {@code wait} for the first window to close, and then for as long as late readings of it may come. */
    public Finding run(Duration wait) {
        long deadline = System.nanoTime() + wait.toNanos();
        int looks = 0;
        while (true) {
            StoreClient.Extent extent = store.extent();
            boolean inTime = System.nanoTime() < deadline;
            if (inTime && extent.completeTo() == Long.MIN_VALUE) {
                progress.accept("nothing is closed yet; waiting");
                pause();
                continue;
            }
            Finding finding = settings.isLatestTimes() ? lookAtLatestTimes(extent) : look(extent);
            boolean inTimeForLate = System.nanoTime() < deadline + TimeUnit.MILLISECONDS.toNanos(heldBackMillis);
            if (inTimeForLate && !isEnough(finding.store())) {
                progress.accept(finding.store().devicesChecked() + " devices have a row so far; waiting");
                pause();
                continue;
            }
            looks++;
            if (finding.ok() || looks >= LOOKS || finding.store().rowsChecked() == 0) {
                return finding;
            }
            progress.accept("there is a difference; looking again, since it may have been in flight");
            pause();
        }
    }

    /** Something was checked, and of every device where each has readings in every window. */
    private boolean isEnough(AuditResult result) {
        if (result.rowsChecked() + result.missing() == 0) {
            return false;
        }
        double readingsPerWindow = settings.rateIsMax()
                ? 0
                : settings.rateReadingsPerSecond() * settings.window().toMillis() / 1000.0 / settings.devices();
        boolean everyDevice = settings.readingsToSend() == 0
                && settings.text("skew").equals("uniform")
                && readingsPerWindow >= READINGS_FOR_EVERY_DEVICE;
        return !everyDevice || result.devicesChecked() >= settings.devices() || result.missing() > 0;
    }

    private WindowSettings window() {
        return new WindowSettings(
                settings.window(), Values.duration(settings.text("slide")), settings.outOfOrderness());
    }

    private Finding lookAtLatestTimes(StoreClient.Extent extent) {
        long completeTo = settled(extent.completeTo(), ledgerAfter(0), window());
        LatestAudit audit = new LatestAudit(
                () -> ledgerAfter(System.currentTimeMillis()),
                window(),
                completeTo,
                directory.readingsFrom(),
                extent.retainedFrom(),
                directory.path());
        store.deadLetters(audit::deadLetter);
        Progress rows = new Progress("latest times");
        store.latestTimes(row -> {
            audit.latestTime(row);
            rows.count(row.deviceId());
        });
        return new Finding(audit.finish(), null, 0, 0);
    }

    private Finding look(StoreClient.Extent extent) {
        Ledger ledger = ledgerAfter(System.currentTimeMillis());
        WindowSettings window = window();
        long from = Math.max(retainedFrom(extent), wholeFrom());
        long to = Math.max(from, settled(extent.completeTo(), ledger, window));
        List<DeadLetter> late = new ArrayList<>();
        Audit storeAudit = new Audit(ledger, window, from, to);
        store.deadLetters(letter -> {
            storeAudit.deadLetter(letter);
            if (broker != null) {
                late.add(letter);
            }
        });
        Progress rows = new Progress("windows");
        store.windows(from, to, row -> {
            storeAudit.window(row);
            rows.count(Instant.ofEpochMilli(row.windowEnd()));
        });
        AuditResult storeResult = storeAudit.finish();
        if (broker == null) {
            return new Finding(storeResult, null, 0, 0);
        }
        progress.accept("reading the result topic");
        ResultTopic topic = new ResultTopic();
        Map<Integer, Long> oldest = new HashMap<>();
        TopicRows.read(broker, settings.resultsTopic(), (row, partition) -> {
            oldest.putIfAbsent(partition, row.windowEnd());
            topic.add(row);
        });
        LongFunction<AuditResult> topicFrom = begin -> {
            Audit audit = new Audit(ledger, window, begin, to);
            late.forEach(audit::deadLetter);
            topic.windows(begin, to, storeResult.lateAllowed(), audit::window);
            return audit.finish();
        };
        AuditResult topicResult = topicFrom.apply(from);
        long whole = wholeFrom(oldest.values());
        if (topicResult.missing() > 0 && whole > from && whole < to && mayBeShortened(oldest.values(), topic.rows())) {
            progress.accept(
                    "the topic keeps windows for as long as its retention says, and the store for longer: audited from "
                            + Instant.ofEpochMilli(whole));
            topicResult = topicFrom.apply(whole);
        }
        return new Finding(storeResult, topicResult, topic.repeated(), topic.superseded());
    }

    /**
     * From where on the topic has all windows: in each partition what ends much later than its oldest row came behind that one.
     *
     * @param oldest window ends, of each partition that has rows
     */
    private long wholeFrom(Collection<Long> oldest) {
        long apart = settings.window().plus(settings.outOfOrderness()).toMillis();
        return oldest.stream().mapToLong(end -> end + apart).max().orElse(Long.MIN_VALUE);
    }

    /** Whether the topic is old or large enough for its retention to have been at work; of one that is not, what is missing is lost. */
    private boolean mayBeShortened(Collection<Long> oldest, long rows) {
        long ageMillis = System.currentTimeMillis()
                - oldest.stream().mapToLong(Long::longValue).min().orElse(Long.MAX_VALUE);
        return ageMillis >= settings.retention().toMillis() / 2 || rows * ROW_BYTES >= settings.retentionBytes() / 2;
    }

    /** The late readings of a window are kept for as long as those of its beginning are. */
    private long retainedFrom(StoreClient.Extent extent) {
        long retained = extent.retainedFrom();
        return retained == Long.MIN_VALUE
                ? retained
                : retained + settings.window().toMillis();
    }

    /** After state was dropped: windows that begin before the oldest readings that the broker still had are not whole. */
    private long wholeFrom() {
        long readingsFrom = directory.readingsFrom();
        return readingsFrom == Long.MIN_VALUE
                ? readingsFrom
                : readingsFrom + settings.window().toMillis() - 1;
    }

    /**
     * The ledger as it was written after {@code millis}: what is in the store by then is acknowledged in it. Of a generator that writes
     * none the last one, and that is said: readings that were sent since are not in it.
     */
    private Ledger ledgerAfter(long millis) {
        long deadline = System.nanoTime() + LEDGER_BOUND.toNanos();
        Ledger ledger = Ledger.read(directory.generatorFolder());
        boolean isFresh = isAfter(millis, ledger, 0);
        for (int writes = 0; !isFresh && System.nanoTime() < deadline; ) {
            pause();
            Ledger next = Ledger.read(directory.generatorFolder());
            writes += next.writtenMillis() == ledger.writtenMillis() ? 0 : 1;
            ledger = next;
            isFresh = isAfter(millis, ledger, writes);
        }
        if (!isFresh) {
            progress.accept("the generator does not write its ledger; the last is of "
                    + Instant.ofEpochMilli(ledger.writtenMillis()) + ", and what it sent since is not known here");
        }
        return ledger;
    }

    /** @param writes since this one was looked for: what was being written then may be of before, what was written next is not */
    private boolean isAfter(long millis, Ledger ledger, int writes) {
        // An accelerated generator dates its ledger by its own clock, which is ahead.
        boolean fresh = settings.acceleration() > 1 ? writes >= 2 : ledger.writtenMillis() > millis;
        return fresh || ledger.state() == Ledger.State.STOPPED;
    }

    /**
     * A window is settled when no late reading of it can come any more: its generator sends those for a while after the
     * window's end, and they are in the dead letters a little later than the window is in its table. Of several generators one that
     * makes up for the time that it was dead is late by that, since the others have moved the watermark on.
     */
    private long settled(long completeTo, Ledger ledger, WindowSettings window) {
        long behind = ledger.settings().maxBehindMillis();
        boolean hasOthers = ledger.settings().hasOthers();
        boolean mayBeLate = hasOthers || behind > window.outOfOrderness().toMillis();
        if (hasOthers) {
            behind += GeneratorSettings.MAX_CATCH_UP_MILLIS;
        }
        heldBackMillis = mayBeLate && completeTo != Long.MAX_VALUE && completeTo != Long.MIN_VALUE
                ? behind + window.sizeMillis()
                : 0;
        return completeTo - heldBackMillis;
    }

    private static void pause() {
        LockSupport.parkNanos(PAUSE.toNanos());
        if (Thread.interrupted()) {
            throw new UserException("the audit was interrupted before it came to a result");
        }
    }

    /** Says every few seconds how far it is. */
    private final class Progress {
        private static final long INTERVAL_NANOS = 5_000_000_000L;

        private final String what;
        private long rows;
        private long lastNanos = System.nanoTime();

        Progress(String what) {
            this.what = what;
        }

        void count(Object reached) {
            rows++;
            if (System.nanoTime() - lastNanos > INTERVAL_NANOS) {
                lastNanos = System.nanoTime();
                progress.accept(String.format(Locale.ROOT, "%,d %s compared, up to %s", rows, what, reached));
            }
        }
    }
}
