package dev.millrace.brokers.memory.log;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/** A topic with its partitions, its publishers' last batches and its reader groups. Thread-safe: one lock for all of it. */
final class Topic {
    private static final int PUBLISHERS_MAX = 10_000;
    private static final int GROUPS_MAX = 10_000;
    /** An answer is full when it has so much; one partition more, and it is still far below what a frame can be. */
    private static final int ANSWER_BYTES = 16 << 20;

    private final String name;
    private final long incarnation;
    private final long retentionBytes;
    private final long retentionMillis;
    private final List<PartitionLog> partitions = new ArrayList<>();
    private final Map<String, PublisherState> publishers = bounded(PUBLISHERS_MAX);
    private final Map<String, Map<Integer, Long>> groups = bounded(GROUPS_MAX);
    private long settledBytes;

    /** @param incarnation differs from that of every other topic, also of one of the same name before or after */
    Topic(String name, long incarnation, int partitions, long retentionBytes, long retentionMillis) {
        this.name = name;
        this.incarnation = incarnation;
        this.retentionBytes = retentionBytes;
        this.retentionMillis = retentionMillis;
        long ofOne = ofOne(retentionBytes, partitions);
        for (int i = 0; i < partitions; i++) {
            this.partitions.add(new PartitionLog(ofOne, retentionMillis));
        }
    }

    private static long ofOne(long retentionBytes, int partitions) {
        return retentionBytes < 0 ? -1 : retentionBytes / partitions;
    }

    /** What a topic comes to before retention takes anything; 0 of one without a bound on bytes, which is promised none. */
    static long mostBytes(long retentionBytes, int partitions) {
        return retentionBytes < 0 ? 0 : partitions * PartitionLog.mostBytes(ofOne(retentionBytes, partitions));
    }

    private static <V> Map<String, V> bounded(int max) {
        return new LinkedHashMap<>(16, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<String, V> eldest) {
                return size() > max;
            }
        };
    }

    synchronized int partitions() {
        return partitions.size();
    }

    long retentionBytes() {
        return retentionBytes;
    }

    synchronized void addPartitions(int wanted) {
        if (wanted < partitions.size()) {
            throw new WrongRequestException(
                    Wire.WRONG,
                    "topic '" + name + "' has " + partitions.size() + " partitions, not fewer than " + wanted);
        }
        long ofOne = ofOne(retentionBytes, wanted);
        // Those that are there keep less, too: together they would keep more than the topic was promised.
        partitions.forEach(partition -> partition.retentionBytes(ofOne));
        while (partitions.size() < wanted) {
            partitions.add(new PartitionLog(ofOne, retentionMillis));
        }
    }

    /** Drops what retention allows and tells the budget how much is kept now. */
    private void settle(Budget budget, long nowMillis) {
        partitions.forEach(partition -> partition.retain(nowMillis));
        long kept = keptBytes();
        budget.add(kept - settledBytes);
        settledBytes = kept;
    }

    /** What this topic counts for in the budget. */
    synchronized long settledBytes() {
        return settledBytes;
    }

    synchronized long keptBytes() {
        return partitions.stream().mapToLong(PartitionLog::keptBytes).sum();
    }

    synchronized long endOffsets() {
        return partitions.stream().mapToLong(PartitionLog::endOffset).sum();
    }

    synchronized void describe(FrameWriter out) {
        out.number(partitions.size()).number(incarnation).number(retentionBytes).number(retentionMillis);
        for (PartitionLog partition : partitions) {
            out.number(partition.startOffset()).number(partition.endOffset());
        }
    }

    /**
     * Appends a batch once: one that was taken before is answered as it was then.
     *
     * @param budget told how many more bytes are kept
     */
    synchronized void publish(ByteBuffer frame, FrameWriter out, Budget budget) {
        String publisher = FrameReader.text(frame);
        long session = frame.getLong();
        long sequence = frame.getLong();
        PublisherState state = publishers.computeIfAbsent(publisher + "#" + session, key -> new PublisherState());
        long[] offsets = state.answered(sequence);
        if (offsets == null) {
            long now = System.currentTimeMillis();
            settle(budget, now);
            budget.check();
            offsets = append(frame, now);
            settle(budget, now);
            state.answer(sequence, offsets);
            notifyAll();
        }
        out.number(partitions.size()).number(incarnation).number(offsets.length);
        for (long offset : offsets) {
            out.number(offset);
        }
    }

    private long[] append(ByteBuffer frame, long nowMillis) {
        int count = frame.getInt();
        // All before any is stored: a batch is stored whole or not at all.
        List<PartitionLog> logs = new ArrayList<>();
        List<Segment> segments = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            logs.add(partition(frame.getInt()));
            segments.add(Segment.read(frame));
        }
        long[] offsets = new long[segments.size()];
        for (int i = 0; i < offsets.length; i++) {
            offsets[i] = logs.get(i).append(segments.get(i), nowMillis);
        }
        return offsets;
    }

    private PartitionLog partition(int number) {
        if (number < 0 || number >= partitions.size()) {
            throw new WrongRequestException(
                    Wire.WRONG, "topic '" + name + "' has no partition " + number + ", only " + partitions.size());
        }
        return partitions.get(number);
    }

    /**
     * Answers a fetch, at the latest after {@code waitMillis}. Partitions that have data and no room in the answer are not in it;
     * where it begins is left to chance, so that none waits for ever.
     */
    synchronized void fetch(List<Wanted> wanted, int maxBytes, long waitMillis, FrameWriter out)
            throws InterruptedException {
        long deadline = System.nanoTime() + waitMillis * 1_000_000;
        long now = System.currentTimeMillis();
        for (Wanted one : wanted) {
            partition(one.partition()).retain(now);
        }
        while (wanted.stream().noneMatch(this::hasData)) {
            long leftMillis = (deadline - System.nanoTime()) / 1_000_000;
            if (leftMillis <= 0) {
                break;
            }
            wait(leftMillis);
        }
        out.number(incarnation);
        int countAt = out.position();
        out.number(0);
        int answered = 0;
        int first = wanted.isEmpty() ? 0 : ThreadLocalRandom.current().nextInt(wanted.size());
        for (int i = 0; i < wanted.size(); i++) {
            Wanted one = wanted.get((first + i) % wanted.size());
            boolean hasData = hasData(one);
            if (hasData && out.position() > ANSWER_BYTES) {
                continue;
            }
            PartitionLog partition = partition(one.partition());
            long offset = checked(one, partition);
            out.number(one.partition()).number(offset).number(partition.endOffset());
            if (hasData) {
                partition.write(out, offset, one.stop(), maxBytes);
            } else {
                out.number(0).number(0);
            }
            answered++;
        }
        out.patch(countAt, answered);
    }

    private boolean hasData(Wanted one) {
        PartitionLog partition = partition(one.partition());
        long offset = checked(one, partition);
        return offset < Math.min(one.stop(), partition.endOffset());
    }

    /** The offset to read from; fails when what is wanted is not there any more. */
    private long checked(Wanted one, PartitionLog partition) {
        if (one.offset() == Wire.OLDEST) {
            return partition.startOffset();
        }
        boolean other = one.incarnation() != incarnation;
        if (other || one.offset() < partition.startOffset() || one.offset() > partition.endOffset()) {
            throw new WrongRequestException(
                    Wire.GONE,
                    "position " + one.incarnation() + ":" + one.offset() + " of partition " + one.partition()
                            + " of topic '" + name + "' is no longer there"
                            + (other
                                    ? ": the topic was made anew since"
                                    : ": retention has removed it; there are " + incarnation + ":"
                                            + partition.startOffset() + " to " + incarnation + ":"
                                            + partition.endOffset())
                            + ". Start from the earliest record, without the checkpoint, or from an older copy");
        }
        return one.offset();
    }

    synchronized void commit(String group, int partition, long ofIncarnation, long nextOffset) {
        if (ofIncarnation == incarnation) {
            groups.computeIfAbsent(group, name -> new HashMap<>()).put(partition, nextOffset);
        }
    }

    synchronized void forget(String group) {
        groups.remove(group);
    }

    synchronized long lag(String group) {
        Map<Integer, Long> confirmed = groups.getOrDefault(group, Map.of());
        long lag = 0;
        for (int i = 0; i < partitions.size(); i++) {
            PartitionLog partition = partitions.get(i);
            long from = Math.max(confirmed.getOrDefault(i, 0L), partition.startOffset());
            lag += Math.max(0, partition.endOffset() - from);
        }
        return lag;
    }

    /** One partition of a fetch. */
    record Wanted(int partition, long incarnation, long offset, long stop) {}
}
