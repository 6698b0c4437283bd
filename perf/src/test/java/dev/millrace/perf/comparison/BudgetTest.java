package dev.millrace.perf.comparison;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.core.settings.UserException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The gate before any run, from both sides. */
class BudgetTest {
    private static final String ADVICE = "name the same for both";

    private static Budget budget(String subject, long mebibytes, int cores, String disk) {
        return new Budget(subject, OptionalLong.of(mebibytes << 20), cores, disk);
    }

    private static void refused(Budget first, Budget second, String sentence) {
        assertThatThrownBy(() -> Budget.requireEqual(List.of(first, second), ADVICE))
                .isInstanceOf(UserException.class)
                .hasMessage("the comparison is not fair, so nothing is started: " + sentence);
    }

    @Test
    void equalBudgetsAndThoseWithinOnePerCentMayBeCompared() {
        assertThatCode(() -> Budget.requireEqual(
                        List.of(
                                budget("north", 4000, 2, "a"),
                                budget("south", 4000, 2, "a"),
                                budget("west", 4040, 2, "a")),
                        ADVICE))
                .doesNotThrowAnyException();
        assertThatCode(() -> Budget.requireEqual(List.of(budget("north", 4000, 2, "a")), ADVICE))
                .doesNotThrowAnyException();
        assertThatCode(() -> Budget.requireEqual(List.of(), ADVICE)).doesNotThrowAnyException();
    }

    @Test
    void moreMemoryIsRefusedWithBothSums() {
        refused(
                budget("north", 3424, 2, "a"),
                budget("south", 3936, 2, "a"),
                "all processes with north may take 3424 MiB of memory, with south 3936 MiB; they must be equal within 1 %:"
                        + " name the same for both");
    }

    @Test
    void memoryThatIsNotKnownIsRefused() {
        assertThatThrownBy(() -> Budget.requireEqual(
                        List.of(budget("north", 3424, 2, "a"), new Budget("south", OptionalLong.empty(), 2, "a")),
                        ADVICE))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("how much memory south may take is not known")
                .hasMessageContaining("It must override Broker.localMemoryBytes");
    }

    @Test
    void otherCoresAndAnotherDiskAreRefusedAtOnce() {
        refused(
                budget("north", 3424, 2, "/ (first), ext4"),
                budget("south", 3424, 4, "/data (second), xfs"),
                "north has 2 cores, south has 4; they must have the same number; the data of north are on the disk"
                        + " / (first), ext4, those of south on /data (second), xfs; they must be on the same: name one"
                        + " folder for all, --run-dir DIR");
    }

    @Test
    void aFolderThatIsNotThereYetIsOnTheDiskAboveIt(@TempDir Path folder) {
        Budget there = Budget.of("north", OptionalLong.of(1), folder);
        Budget notYet = Budget.of("north", OptionalLong.of(1), folder.resolve("a/b"));
        assertThat(notYet).isEqualTo(there);
        assertThat(there.cores()).isPositive();
    }
}
