package dev.millrace.core.audit;

import dev.millrace.core.generate.GeneratorSettings;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What an audit found.
 *
 * @param noun what was compared: "window" or "latest time"
 * @param from the audited rows end after this, epoch milliseconds
 * @param to and by this
 * @param rowsChecked windows (of one device each) or latest times that are in the ledger and were compared
 * @param devicesChecked devices of which at least one row was compared
 * @param readingsChecked acknowledged readings in those rows; in sliding windows once for each window
 * @param missing rows of the ledger that are not there
 * @param surplus rows that nothing in the ledger stands for, or that stand there twice
 * @param different rows that are there with another value
 * @param readingsLost readings by which rows have too few
 * @param readingsDoubled readings by which rows have too many
 * @param late readings among the dead letters because they came too late
 * @param lateAllowed whether the generator was told to send late ones, or is not alone on its topic
 * @param lateWithinBound of the late ones those that a job must not find late: sent by the time that its bound allows for them
 * @param undecodable dead letters that are no readings; none of them is the generator's
 * @param deadLettersDoubled dead letters whose position stands there more than once
 * @param open readings in audited rows whose fate the generator does not know
 * @param examples the first few findings in words
 */
public record AuditResult(
        String noun,
        long from,
        long to,
        long rowsChecked,
        int devicesChecked,
        long readingsChecked,
        long missing,
        long surplus,
        long different,
        long readingsLost,
        long readingsDoubled,
        long late,
        boolean lateAllowed,
        long lateWithinBound,
        long undecodable,
        long deadLettersDoubled,
        long open,
        List<String> examples) {
    /** How the table's last sentence begins when there was nothing to compare. */
    public static final String CHECKED_NOTHING = "The audit checked nothing, which is a failure";

    public AuditResult {
        examples = List.copyOf(examples);
    }

    /** Whether something was checked and nothing was found. */
    public boolean ok() {
        return rowsChecked > 0
                && missing + surplus + different + readingsLost + readingsDoubled + deadLettersDoubled + open == 0
                && (late == 0 || lateAllowed)
                && lateWithinBound == 0;
    }

    /** One sentence: the verdict and why. */
    public String sentence() {
        if (ok()) {
            return "The store holds exactly what the ledger says: " + count(rowsChecked, noun) + " of "
                    + count(devicesChecked, "device") + " checked, nothing missing, surplus or different.";
        }
        if (rowsChecked == 0 && missing == 0 && surplus == 0) {
            return CHECKED_NOTHING + ": no " + noun + " of the ledger is closed in the store yet.";
        }
        if (open > 0) {
            return "The audit cannot pass: the fate of " + count(open, "reading")
                    + " is unknown; the generator settles it when it is running again.";
        }
        if (late > 0 && !lateAllowed && missing + surplus + different == 0) {
            return count(late, "reading") + " came late although the generator kept within the bound.";
        }
        if (lateWithinBound > 0 && missing + surplus + different == 0) {
            return count(lateWithinBound, "reading") + " came late although within the job's bound.";
        }
        if (deadLettersDoubled > 0 && missing + surplus + different == 0) {
            return count(deadLettersDoubled, "dead letter") + " there more than once.";
        }
        return "The store differs from the ledger: " + count(missing, noun) + " missing, " + surplus + " surplus, "
                + different + " different; " + count(readingsLost, "reading") + " lost, " + readingsDoubled
                + " doubled.";
    }

    /** The figures one below the other, then the examples, then {@link #sentence()}. */
    public String table() {
        StringBuilder table = new StringBuilder();
        asMap().forEach((key, value) -> {
            if (!key.equals("examples") && !key.equals("ok") && !key.equals("sentence")) {
                String words = key.replaceAll("([A-Z])", " $1").toLowerCase(java.util.Locale.ROOT);
                boolean time = key.equals("from") || key.equals("to");
                table.append(String.format("  %-20s %s%n", words, time ? instant((Long) value) : value));
            }
        });
        examples.forEach(example -> table.append("  ! ").append(example).append('\n'));
        return table.append(sentence()).append('\n').toString();
    }

    /** For JSON: names as in this record, in this order. */
    public Map<String, Object> asMap() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("ok", ok());
        map.put("sentence", sentence());
        map.put("from", from);
        map.put("to", to);
        map.put(isOfWindows() ? "windowsChecked" : "latestTimesChecked", rowsChecked);
        map.put("devicesChecked", devicesChecked);
        map.put("readingsChecked", readingsChecked);
        map.put("missing", missing);
        map.put("surplus", surplus);
        map.put("different", different);
        map.put("readingsLost", readingsLost);
        map.put("readingsDoubled", readingsDoubled);
        map.put("late", late);
        map.put("lateAllowed", lateAllowed);
        map.put("lateWithinBound", lateWithinBound);
        map.put("undecodable", undecodable);
        map.put("deadLettersDoubled", deadLettersDoubled);
        map.put("open", open);
        map.put("examples", examples);
        return map;
    }

    private boolean isOfWindows() {
        return noun.equals("window");
    }

    private static String count(long number, String noun) {
        return number + " " + noun + (number == 1 ? "" : "s");
    }

    private static String instant(long epochMillis) {
        // Not by the absolute value: that of the least long is negative.
        boolean bounded = epochMillis > Long.MIN_VALUE / 4 && epochMillis < Long.MAX_VALUE / 4;
        return bounded ? Instant.ofEpochMilli(epochMillis).toString() : epochMillis < 0 ? "the beginning" : "the end";
    }

    /** Counts while an audit runs. */
    static final class Builder {
        private static final int MAX_EXAMPLES = 20;

        private final String noun;
        long rowsChecked;
        long readingsChecked;
        final java.util.BitSet devices = new java.util.BitSet();
        long missing;
        long surplus;
        long different;
        long readingsLost;
        long readingsDoubled;
        long late;
        long lateWithinBound;
        long undecodable;
        long deadLettersDoubled;
        long open;
        final List<String> examples = new java.util.ArrayList<>();

        Builder(String noun) {
            this.noun = noun;
        }

        void example(java.util.function.Supplier<String> words) {
            if (examples.size() < MAX_EXAMPLES) {
                examples.add(words.get());
            }
        }

        AuditResult build(long from, long to, GeneratorSettings settings, long jobOutOfOrdernessMillis) {
            // One that was behind for a while finds that others on its topic have moved the watermark on.
            boolean hasOthers = settings.hasOthers();
            boolean lateAllowed = hasOthers
                    || settings.lateShare() > 0
                    || settings.outOfOrderShare() > 0 && settings.outOfOrdernessMillis() > jobOutOfOrdernessMillis;
            return new AuditResult(
                    noun,
                    from,
                    to,
                    rowsChecked,
                    devices.cardinality(),
                    readingsChecked,
                    missing,
                    surplus,
                    different,
                    readingsLost,
                    readingsDoubled,
                    late,
                    lateAllowed,
                    hasOthers ? 0 : lateWithinBound,
                    undecodable,
                    deadLettersDoubled,
                    open,
                    examples);
        }
    }
}
