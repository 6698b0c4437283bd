package dev.millrace.deploy.kubernetes.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** No table of mistakes is complete; these make one of everything that is there. */
class SweepTest {
    private static final Manifests MANIFESTS = Manifests.ofClone();

    /** What nobody refers to may be called anything. */
    private static final Pattern FREE_NAME =
            Pattern.compile("NetworkPolicy/nothing-else metadata\\.name|\\S+ \\S+\\.initContainers\\[\\d]\\.name");
    /** The command line and the log of a broker's server: held against those of the local one in the broker's own module. */
    private static final Pattern OF_A_SERVER =
            Pattern.compile("StatefulSet/\\S+ \\S+ontainers\\[\\d]\\.args\\[\\d+]| logger\\.[a-z]+\\.name");

    @Test
    @DisplayName("whatever name of a field loses a letter, it is found, in that file")
    void names() {
        List<Typo> typos = Typos.names(MANIFESTS);
        assertThat(typos).hasSizeGreaterThan(900);
        assertThat(missed(typos)).isEmpty();
    }

    @Test
    @DisplayName("whatever value loses a letter, it is found, in that file")
    void values() {
        List<Typo> typos = Typos.values(MANIFESTS);
        assertThat(typos).hasSizeGreaterThan(700);
        assertThat(missed(typos)).isEmpty();
    }

    @Test
    @DisplayName("whatever setting of a stack loses a letter, in its name or its value, it is found")
    void settings() {
        List<Typo> typos = new ArrayList<>(Typos.settings(MANIFESTS, "stack.properties"));
        typos.addAll(Typos.settings(MANIFESTS, "log4j2.properties"));
        assertThat(missed(typos)).isEmpty();
    }

    private static List<Typo> missed(List<Typo> typos) {
        return typos.stream()
                .filter(Predicate.not(SweepTest::isFound))
                .filter(typo -> !FREE_NAME.matcher(place(typo)).matches())
                .filter(typo -> !(typo.file().startsWith("brokers/")
                        && OF_A_SERVER.matcher(place(typo)).matches()))
                .toList();
    }

    private static String place(Typo typo) {
        return typo.object() + " " + typo.path();
    }

    /** In its file; a field's name is told as it was written. */
    private static boolean isFound(Typo typo) {
        return Check.of(typo.in(MANIFESTS), typo.file())
                .anyMatch(finding -> finding.file().equals(typo.file())
                        && (typo.change() != Typo.Change.NAME
                                || finding.toString().contains(typo.text())));
    }
}
