package dev.millrace.perf.run.exercise;

import dev.millrace.core.reading.Position;
import dev.millrace.perf.fanout.Look;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Whether every reader group of an arrangement got every reading once. */
final class FanOutCheck {
    private final String title;
    private final Map<Integer, Position> from;
    private final Map<Integer, Position> ends;

    /**
     * @param from where the topic ended when the arrangement began
     * @param ends where it ended when the arrangement did
     */
    FanOutCheck(String title, Map<Integer, Position> from, Map<Integer, Position> ends) {
        this.title = title;
        this.from = from;
        this.ends = ends;
    }

    /**
     * What is wrong, a sentence each.
     *
     * @param groups as they ended, in their order
     * @param hasSlowGroup whether the last one was ended before it had everything
     * @param copier as it ended, where each group read a copy of its own
     */
    List<String> reasons(List<Look.Part> groups, boolean hasSlowGroup, Optional<Look.Part> copier) {
        List<String> reasons = new ArrayList<>();
        copier.ifPresent(part -> whole(reasons, "the copier", part));
        for (int i = 0; i < groups.size(); i++) {
            Look.Part group = groups.get(i);
            String name = "group " + (i + 1);
            if (hasSlowGroup && i == groups.size() - 1) {
                contiguous(reasons, name, group);
            } else {
                whole(reasons, name, group);
            }
            if (copier.isPresent()) {
                copies(reasons, name, group, copier.get(), groups.size());
            } else {
                beginning(reasons, name, group, groups.get(0));
            }
        }
        return reasons;
    }

    private void whole(List<String> reasons, String name, Look.Part part) {
        if (!part.isAtEnd()) {
            add(reasons, "%s had not read to the end in time: it got %,d readings", name, part.readings());
        }
        contiguous(reasons, name, part);
    }

    private void contiguous(List<String> reasons, String name, Look.Part part) {
        if (part.missing() > 0 || part.repeated() > 0) {
            add(
                    reasons,
                    "%s got %,d readings, %,d of them again, and %,d between them never came",
                    name,
                    part.readings(),
                    part.repeated(),
                    part.missing());
        }
    }

    private void copies(List<String> reasons, String name, Look.Part group, Look.Part copier, int groups) {
        if (group.readings() != copier.readings() || copier.stored() != copier.readings() * groups) {
            add(
                    reasons,
                    "%s got %,d readings of %,d that were copied; %,d copies were stored in %d topics",
                    name,
                    group.readings(),
                    copier.readings(),
                    copier.stored(),
                    groups);
        }
    }

    /** Sequences do not tell what is missing before the first reading; that all groups began with the same ones does. */
    private void beginning(List<String> reasons, String name, Look.Part group, Look.Part one) {
        group.first().forEach((partition, first) -> {
            // What came to a partition only behind the end came to none of them before it.
            boolean gaveSomething = !ends.get(partition).equals(from.get(partition));
            Position other = one.first().getOrDefault(partition, first);
            if (gaveSomething && !first.equals(other)) {
                add(
                        reasons,
                        "%s did not begin where group 1 did: in partition %d at %s, not at %s",
                        name,
                        partition,
                        first,
                        other);
            }
        });
    }

    private void add(List<String> reasons, String sentence, Object... words) {
        reasons.add("fan-out, " + title + ": " + String.format(Locale.ROOT, sentence, words));
    }
}
