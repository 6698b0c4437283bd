package dev.millrace.core.settings;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds what a person probably meant: the known word with the least edits, if few enough. */
public final class Suggestion {
    private Suggestion() {}

    /** The nearest of {@code known}, when at most a third of the word (and at least two letters) had to change. */
    public static Optional<String> nearest(String word, Collection<String> known) {
        int bound = Math.max(2, word.length() / 3);
        return known.stream()
                .filter(candidate -> distance(word, candidate) <= bound)
                .min(Comparator.comparingInt(candidate -> distance(word, candidate)));
    }

    /** What a sentence about an unknown word goes on with: a question after the nearest one, or nothing. */
    public static String didYouMean(String word, Collection<String> known) {
        return nearest(word, known)
                .map(near -> "; did you mean '" + near + "'?")
                .orElse("");
    }

    /** Levenshtein's distance with adjacent letters swapped counting as one edit. */
    static int distance(String a, String b) {
        int[][] edits = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                if (i == 0 || j == 0) {
                    edits[i][j] = i + j;
                    continue;
                }
                int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
                int least = Math.min(edits[i - 1][j - 1] + change, Math.min(edits[i - 1][j], edits[i][j - 1]) + 1);
                if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1)) {
                    least = Math.min(least, edits[i - 2][j - 2] + 1);
                }
                edits[i][j] = least;
            }
        }
        return edits[a.length()][b.length()];
    }
}
