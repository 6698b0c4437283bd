package dev.millrace.connectors.api.lint;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LinterTest {
    private static final KnownSettings KNOWN = new KnownSettings(
            "Example 1.0",
            Map.of(
                    "threads", KnownSetting.named().orDefault("8"),
                    "share", KnownSetting.named(),
                    "total", KnownSetting.named().orDefault("0"),
                    "old.time", old(Optional.of("new.time")),
                    "new.time", KnownSetting.named(),
                    "older", old(Optional.empty()),
                    "number", new KnownSetting(new OnlyDigits(), Optional.empty())),
            List.of("listener."),
            List.of(
                    Advice.parse("thread.count | always | misnamed | threads | a term of others"),
                    Advice.parse("share | while total = 0 | inert | | it is a share of nothing"),
                    Advice.parse("threads | > 4 | harmful | 4 | they wait for each other"),
                    Advice.parse("new.time | always | note | | in milliseconds"),
                    Advice.parse("listener.speed | always | advice | | it is not listened to")));

    private static KnownSetting old(Optional<String> rightName) {
        return new KnownSetting(ValueRule.ANY.orDefault("60"), Optional.of(new Deprecation(rightName)));
    }

    private static final class OnlyDigits implements ValueRule {
        @Override
        public Optional<String> problem(String value) {
            return value.matches("\\d+") ? Optional.empty() : Optional.of("it is no number");
        }

        @Override
        public boolean isDefault(String value) {
            return false;
        }
    }

    private static List<Finding> check(String text) {
        return new Linter(KNOWN).check(PropertiesText.parse(text));
    }

    private static void assertFinding(String text, Verdict verdict, String sentence) {
        assertThat(check(text)).singleElement().satisfies(finding -> {
            assertThat(finding.verdict()).isEqualTo(verdict);
            assertThat(finding.sentence()).isEqualTo(sentence);
        });
    }

    @Test
    @DisplayName("a key that is not there is unknown, with the nearest one that is, and with its line")
    void unknown() {
        assertFinding("thraeds=1", Verdict.UNKNOWN, "there is no such setting in Example 1.0; did you mean 'threads'?");
        assertFinding("nothing.like.it=1", Verdict.UNKNOWN, "there is no such setting in Example 1.0");
        assertThat(check("# comment\nshare=1\n\nnothing.like.it=1\ntotal=2"))
                .extracting(Finding::line)
                .containsExactly(4);
    }

    @Test
    @DisplayName("a wrong name that is written about gets the right one")
    void misnamed() {
        assertFinding("thread.count=8", Verdict.MISNAMED, "a term of others; right is threads");
    }

    @Test
    @DisplayName("an old name gets the new one; without a new one it is only deprecated, which does not fail")
    void renamed() {
        assertFinding("old.time=5", Verdict.RENAMED, "it is called new.time now");
        assertThat(check("older=5")).singleElement().satisfies(finding -> {
            assertThat(finding.verdict()).isEqualTo(Verdict.DEPRECATED);
            assertThat(finding.verdict().fails()).isFalse();
        });
    }

    @Test
    @DisplayName("a setting with its default value or none asks for nothing")
    void defaults() {
        assertThat(check("old.time=60\nolder=60\nthreads=8\nshare=")).isEmpty();
    }

    @Test
    @DisplayName("what depends on another setting depends on its value in the file, or else on its default")
    void inert() {
        assertFinding("share=0.5", Verdict.INERT, "it is a share of nothing");
        assertFinding("total=0\nshare=0.5", Verdict.INERT, "it is a share of nothing");
        assertThat(check("share=0.5\ntotal=7")).isEmpty();
    }

    @Test
    @DisplayName("what depends on the value is said of that value only")
    void harmful() {
        assertFinding("threads=16", Verdict.HARMFUL, "they wait for each other; right is 4");
        assertThat(check("threads=2")).isEmpty();
    }

    @Test
    @DisplayName("a value that the server refuses is wrong, and one that is filled in later is not looked at")
    void values() {
        assertFinding("number=many", Verdict.WRONG_VALUE, "it is no number");
        assertThat(check("number=${env:NUMBER}\nnumber2="))
                .extracting(Finding::key)
                .containsExactly("number2");
    }

    @Test
    @DisplayName("a setting that stands there twice is said once, in its second line")
    void repeated() {
        assertFinding("share=\nshare=", Verdict.REPEATED, "it stands in line 1 already, and only one of them counts");
    }

    @Test
    @DisplayName("below an open prefix any key may be, unless something is known of it")
    void open() {
        assertThat(check("listener.mine.port=1")).isEmpty();
        assertFinding("listener.speed=1", Verdict.ADVICE, "it is not listened to");
    }

    @Test
    @DisplayName("a note is of a setting that is right, its default value included")
    void notes() {
        assertFinding("new.time=5", Verdict.NOTE, "in milliseconds");
        assertThat(Verdict.NOTE.fails()).isFalse();
    }
}
