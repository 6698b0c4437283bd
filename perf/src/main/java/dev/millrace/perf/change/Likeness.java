package dev.millrace.perf.change;

import dev.millrace.perf.comparison.Environment;
import dev.millrace.perf.cost.Cost;
import dev.millrace.perf.result.BaselineFigure;
import dev.millrace.perf.result.BenchmarkResult;
import dev.millrace.perf.result.BenchmarkResult.Subject;
import dev.millrace.perf.result.Run;
import dev.millrace.perf.run.StackMeasurement;
import dev.millrace.perf.scenario.Scenario;
import dev.millrace.perf.statistics.Digits;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * In what two results differ.
 *
 * @param mustBeAlike differences that leave no verdict: of machine, scenario, settings, and what brokers said is in effect
 * @param machine differences of what the machine does by itself: they take no verdict away, and a reader must know them
 * @param changed differences that are what one compares: the build, the broker's release, prices; and how many pairs there were
 */
record Likeness(List<Unlike> mustBeAlike, List<Unlike> machine, List<Unlike> changed) {
    /** The same machine measured twice is within this factor. */
    private static final double MACHINE_FACTOR = 2;

    /** Of the environment; all else in it must be alike. */
    private static final Set<String> BUILD = Set.of("commit", "job jar sha256");

    /** Of the settings: how many runs there are, not how one is made. */
    private static final String PAIRS = "pairs";

    private static final String MEMORY = "memory";
    private static final double MEMORY_SHARE = 0.01;
    private static final Pattern MEBIBYTES = Pattern.compile("(\\d{1,15}) MiB");

    static Likeness of(BenchmarkResult a, BenchmarkResult b, List<SubjectPair> subjects) {
        List<Unlike> mustBeAlike = new ArrayList<>();
        List<Unlike> changed = new ArrayList<>();
        compare("scenario", a.scenario(), b.scenario(), mustBeAlike);
        for (String key : keys(a.environment(), b.environment())) {
            String ofA = a.environment().getOrDefault(key, Unlike.NOTHING);
            String ofB = b.environment().getOrDefault(key, Unlike.NOTHING);
            if (!key.equals(MEMORY) || !isNearly(ofA, ofB)) {
                compare(key, ofA, ofB, BUILD.contains(key) || isNewer(key, ofA, ofB) ? changed : mustBeAlike);
            }
        }
        for (String key : keys(a.settings(), b.settings())) {
            String ofA = a.settings().getOrDefault(key, Unlike.NOTHING);
            String ofB = b.settings().getOrDefault(key, Unlike.NOTHING);
            boolean mayDiffer = key.equals(PAIRS) || Cost.isPrice(key) || isNewer(key, ofA, ofB);
            compare(key, ofA, ofB, mayDiffer ? changed : mustBeAlike);
        }
        compare("memory budget", budget(a), budget(b), mustBeAlike);
        for (SubjectPair subject : subjects) {
            ofSubject(a, b, subject, mustBeAlike, changed);
        }
        return new Likeness(List.copyOf(mustBeAlike), machine(a, b), List.copyOf(changed));
    }

    /** Bounds, and what machines say of themselves, have become more: an older result that is silent about one is no other run. */
    private static boolean isNewer(String key, String ofA, String ofB) {
        boolean oneSays = ofA.equals(Unlike.NOTHING) != ofB.equals(Unlike.NOTHING);
        return oneSays && (key.startsWith(Scenario.CHECKS + ".") || key.equals(Environment.CPU));
    }

    /** The settings have what was wished for; that a control group held it is another matter. */
    private static String budget(BenchmarkResult result) {
        return StackMeasurement.budgetWasEnforced(result.runs()) ? "enforced" : "not enforced";
    }

    /** What one of the two says nothing about is left out: an older result is no other machine. */
    private static List<Unlike> machine(BenchmarkResult a, BenchmarkResult b) {
        List<Unlike> unlike = new ArrayList<>();
        a.baseline().forEach((figure, ofA) -> {
            double ofB = b.baseline().getOrDefault(figure, Double.NaN);
            if (figure.isSteady() && (ofA > MACHINE_FACTOR * ofB || ofB > MACHINE_FACTOR * ofA)) {
                unlike.add(new Unlike(figure.title(), measure(figure, ofA), measure(figure, ofB)));
            }
        });
        return List.copyOf(unlike);
    }

    private static String measure(BaselineFigure figure, double value) {
        return Digits.of(value) + " " + figure.unit();
    }

    private static void ofSubject(
            BenchmarkResult a, BenchmarkResult b, SubjectPair pair, List<Unlike> mustBeAlike, List<Unlike> changed) {
        Subject ofA = SubjectPair.subject(a, pair.a());
        Subject ofB = SubjectPair.subject(b, pair.b());
        compare(pair.name() + ": broker", ofA.broker(), ofB.broker(), mustBeAlike);
        Map<String, String> effectiveA = effective(a, pair.a());
        Map<String, String> effectiveB = effective(b, pair.b());
        for (String key : keys(effectiveA, effectiveB)) {
            compare(
                    pair.name() + ": " + key,
                    effectiveA.getOrDefault(key, Unlike.NOTHING),
                    effectiveB.getOrDefault(key, Unlike.NOTHING),
                    key.equals(StackMeasurement.VERSION) ? changed : mustBeAlike);
        }
    }

    /** What held in the VALID runs of a subject, by name; all values when runs had several. */
    private static Map<String, String> effective(BenchmarkResult result, String subject) {
        return result.runs().stream()
                .filter(run -> run.isValid() && run.subject().equals(subject))
                .map(Run::effective)
                .flatMap(effective -> effective.entrySet().stream())
                .collect(Collectors.groupingBy(
                        Map.Entry::getKey,
                        Collectors.mapping(
                                Map.Entry::getValue,
                                Collectors.collectingAndThen(
                                        Collectors.toCollection(TreeSet::new),
                                        values -> String.join(" or ", values)))));
    }

    private static Set<String> keys(Map<String, String> a, Map<String, String> b) {
        Set<String> keys = new TreeSet<>(a.keySet());
        keys.addAll(b.keySet());
        return keys;
    }

    private static void compare(String name, String a, String b, List<Unlike> unlike) {
        if (!a.equals(b)) {
            unlike.add(new Unlike(name, a, b));
        }
    }

    /** A kernel keeps some memory to itself, and not always the same. */
    private static boolean isNearly(String a, String b) {
        Matcher ofA = MEBIBYTES.matcher(a);
        Matcher ofB = MEBIBYTES.matcher(b);
        if (!ofA.matches() || !ofB.matches()) {
            return false;
        }
        double sizeA = Double.parseDouble(ofA.group(1));
        double sizeB = Double.parseDouble(ofB.group(1));
        return Math.abs(sizeA - sizeB) <= MEMORY_SHARE * Math.max(sizeA, sizeB);
    }
}
