package dev.millrace.perf.comparison;

import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.UserException;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/**
 * What all processes of one subject together may take: broker, job, store and generator.
 *
 * @param memoryBytes of the control group around them, else the sum of what each is bounded to; empty when it is not known
 * @param cores that its processes may run on
 * @param disk the file system that its data are on, by name
 */
public record Budget(String subject, OptionalLong memoryBytes, int cores, String disk) {
    /** Two that differ by a larger share are not equal. */
    private static final double TOLERANCE = 0.01;

    private static final double MEBIBYTE = 1 << 20;

    /** @param folder where the subject's stacks have their data; need not be there yet */
    static Budget of(String subject, OptionalLong memoryBytes, Path folder) {
        // Children have the affinity of this process.
        return new Budget(subject, memoryBytes, Runtime.getRuntime().availableProcessors(), disk(folder));
    }

    private static String disk(Path folder) {
        Path there = folder.toAbsolutePath();
        while (!Files.exists(there) && there.getParent() != null) {
            there = there.getParent();
        }
        try {
            FileStore store = Files.getFileStore(there);
            return store + ", " + store.type();
        } catch (IOException e) {
            throw new EnvironmentException("cannot find the disk of " + there + ": " + e.getMessage(), e);
        }
    }

    /**
     * Throws UserException, with a sentence for each subject whose budget is not that of the first, or is not known; one subject
     * alone is compared with nothing.
     *
     * @param advice how memories are made equal, behind a colon
     */
    public static void requireEqual(List<Budget> budgets, String advice) {
        List<String> problems = new ArrayList<>();
        for (Budget other : budgets.subList(Math.min(1, budgets.size()), budgets.size())) {
            budgets.get(0).compare(other, advice, problems);
        }
        if (!problems.isEmpty()) {
            throw new UserException(
                    "the comparison is not fair, so nothing is started: " + String.join("; ", problems));
        }
    }

    private void compare(Budget other, String advice, List<String> problems) {
        if (memoryBytes.isEmpty() || other.memoryBytes.isEmpty()) {
            problems.add("how much memory " + (memoryBytes.isEmpty() ? subject : other.subject)
                    + " may take is not known: its plugin does not say. It must override Broker.localMemoryBytes; or give the"
                    + " scenario a budget that a control group enforces (root)");
        } else if (differ(memoryBytes.getAsLong(), other.memoryBytes.getAsLong())) {
            problems.add(String.format(
                    Locale.ROOT,
                    "all processes with %s may take %.0f MiB of memory, with %s %.0f MiB; they must be equal within 1 %%:"
                            + " %s",
                    subject,
                    memoryBytes.getAsLong() / MEBIBYTE,
                    other.subject,
                    other.memoryBytes.getAsLong() / MEBIBYTE,
                    advice));
        }
        if (differ(cores, other.cores)) {
            problems.add(subject + " has " + cores + " cores, " + other.subject + " has " + other.cores
                    + "; they must have the same number");
        }
        if (!disk.equals(other.disk)) {
            problems.add("the data of " + subject + " are on the disk " + disk + ", those of " + other.subject + " on "
                    + other.disk + "; they must be on the same: name one folder for all, --run-dir DIR");
        }
    }

    private static boolean differ(double one, double other) {
        return Math.abs(one - other) > TOLERANCE * Math.max(one, other);
    }
}
