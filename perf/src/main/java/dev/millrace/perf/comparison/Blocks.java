package dev.millrace.perf.comparison;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * The order of runs: blocks with one run of every subject. What slows the machine down for a while meets neighbours, and a trend
 * over the whole benchmark meets all alike, since every second block has the order of the one before turned round (A B B A).
 */
final class Blocks {
    private Blocks() {}

    /** The same seed gives the same order. */
    static List<List<String>> of(List<String> subjects, int blocks, long seed) {
        Random random = new Random(seed);
        List<List<String>> order = new ArrayList<>();
        for (int block = 0; block < blocks; block++) {
            List<String> own = new ArrayList<>(block % 2 == 0 ? subjects : order.get(block - 1));
            if (block % 2 == 0) {
                Collections.shuffle(own, random);
            } else {
                Collections.reverse(own);
            }
            order.add(List.copyOf(own));
        }
        return order;
    }
}
