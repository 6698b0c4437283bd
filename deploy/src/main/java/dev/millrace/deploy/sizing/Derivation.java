package dev.millrace.deploy.sizing;

import dev.millrace.core.generate.GeneratorSettings;
import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.infrastructure.NodeGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * How large a deployment must be, and why. Made of a request and of what was measured, and of nothing else.
 *
 * @param parallelism subtasks of the job
 * @param generators pods, one on a node
 * @param devices that send so many readings each as when it was measured
 * @param retentionBytesPerPartition that age decides what is deleted, and not this
 * @param brokerShare of the cores of the broker nodes that is used, 0 to 1
 * @param networkBytesPerSecond into a broker node at most, and as many out of it
 * @param diskBytesPerHour on a broker node
 * @param steps each with its formula and the figures in it, in the order in which they follow from each other
 */
public record Derivation(
        SizeRequest request,
        MeasuredRates rates,
        int parallelism,
        int taskManagers,
        int partitions,
        int generators,
        long devices,
        long retentionBytesPerPartition,
        double brokerShare,
        double jobShare,
        double generatorShare,
        long networkBytesPerSecond,
        long diskBytesPerHour,
        List<Step> steps) {
    private static final long MIB = 1L << 20;
    private static final long GIB = 1L << 30;
    private static final long SECONDS_PER_HOUR = 3600;
    /** The job's subtasks read as many partitions each, and one that is slow is not all that a subtask has. */
    private static final int PARTITIONS_PER_SUBTASK = 2;
    /** Of an hour's readings: an hour's, what of a segment is not old enough yet, and the time until somebody looks. */
    private static final int RETENTION_HOURS = 2;
    /** Where an alert says that a disk is full. */
    private static final double DISK_SHARE = 0.8;

    /**
     * One line of it.
     *
     * @param name of what follows
     * @param value with its unit
     * @param formula with the figures
     */
    public record Step(String name, String value, String formula) {
        @Override
        public String toString() {
            return name + " " + value + " = " + formula;
        }
    }

    public Derivation {
        steps = List.copyOf(steps);
    }

    /**
     * Derives.
     *
     * @throws UserException when the shape cannot carry the rate: a line for each part that cannot, with what would be right
     */
    public static Derivation of(SizeRequest request, MeasuredRates rates) {
        return new Arithmetic(request, rates).derive();
    }

    /** All machines of it. */
    public List<NodeGroup> groups() {
        return request.shape().groups(request.brokerNodes(), taskManagers, generators);
    }

    /** What the figures do not know, a sentence each. */
    public List<String> caveats() {
        return Caveats.of(this);
    }

    static String number(double value) {
        return String.format(Locale.ROOT, "%,.0f", value);
    }

    /** One derivation under way. */
    private static final class Arithmetic {
        private final SizeRequest request;
        private final MeasuredRates rates;
        private final Shape shape;
        private final List<Step> steps = new ArrayList<>();
        private final List<String> problems = new ArrayList<>();

        Arithmetic(SizeRequest request, MeasuredRates rates) {
            this.request = request;
            this.rates = rates;
            this.shape = request.shape();
        }

        Derivation derive() {
            int parallelism = parallelism();
            int taskManagers = parallelism / shape.slots();
            step(
                    "TaskManagers",
                    taskManagers + "",
                    "%d / %d slots, one on each %s",
                    parallelism,
                    shape.slots(),
                    shape.flinkType());
            double jobShare =
                    share("job", rates.readingsPerSecondPerCore().job(), 1, taskManagers, shape.taskManagerCpu());
            int partitions = partitions(parallelism);
            long devices = devices();
            int generators = generators(devices);
            double generatorShare = share(
                    "generator", rates.readingsPerSecondPerCore().generator(), 1, generators, shape.generatorCpu());
            double brokerShare = brokers();
            long network = network();
            long disk = disk();
            long retention = retention(partitions);
            if (!problems.isEmpty()) {
                throw new UserException(problems.stream()
                        .map(problem -> rates.broker() + ": " + problem)
                        .collect(Collectors.joining("\n")));
            }
            return new Derivation(
                    request,
                    rates,
                    parallelism,
                    taskManagers,
                    partitions,
                    generators,
                    devices,
                    retention,
                    brokerShare,
                    jobShare,
                    generatorShare,
                    network,
                    disk,
                    steps);
        }

        private void step(String name, String value, String formula, Object... figures) {
            steps.add(new Step(name, value, String.format(Locale.ROOT, formula, figures)));
        }

        private double cores(String part, long perCore) {
            double cores = request.rate() / (request.utilisation() * perCore);
            step(
                    "cores for the " + part,
                    String.format(Locale.ROOT, "%.2f", cores),
                    "%,d readings/s / (%s x %,d readings/s per core)",
                    request.rate(),
                    plain(request.utilisation()),
                    perCore);
            return cores;
        }

        private int parallelism() {
            double cores = cores("job", rates.readingsPerSecondPerCore().job());
            long slots = (long) Math.ceil(cores * shape.slots() / shape.taskManagerCpu());
            List<Integer> allowed = shape.parallelisms();
            int parallelism =
                    allowed.stream().filter(one -> one >= slots).findFirst().orElse(allowed.get(allowed.size() - 1));
            String formula = String.format(
                    Locale.ROOT,
                    "the least of %s that is ceil(%.2f cores x %d slots / %d cpu of a TaskManager) = %d or more",
                    allowed.stream().map(String::valueOf).collect(Collectors.joining(", ")),
                    cores,
                    shape.slots(),
                    shape.taskManagerCpu(),
                    slots);
            if (slots > parallelism) {
                problems.add(String.format(
                        Locale.ROOT,
                        "the job cannot carry %,d readings/s: it would take %,d subtasks, and its %d key groups are for %d;"
                                + " by these rates it carries %,d readings/s",
                        request.rate(),
                        slots,
                        shape.keyGroups(),
                        parallelism,
                        most(
                                rates.readingsPerSecondPerCore().job(),
                                parallelism / shape.slots() * shape.taskManagerCpu())));
            }
            step("parallelism", parallelism + "", "%s", formula);
            return parallelism;
        }

        /** Readings per second that so many cores carry. */
        private long most(double perCore, int cores) {
            return (long) Math.floor(request.utilisation() * perCore * cores);
        }

        private double share(String part, long perCore, int copies, int nodes, int cpu) {
            double share = (double) request.rate() * copies / perCore / (nodes * cpu);
            step(
                    "CPU of the " + part,
                    percent(share),
                    copies == 1
                            ? "%,d%s / %,d per core / (%d x %d cpu)"
                            : "%,d x %s replicas / %,d per core / (%d x %d cpu)",
                    request.rate(),
                    copies == 1 ? " readings/s" : copies,
                    perCore,
                    nodes,
                    cpu);
            return share;
        }

        private int partitions(int parallelism) {
            int nodes = request.brokerNodes();
            int partitions = parallelism * PARTITIONS_PER_SUBTASK;
            while (partitions % nodes != 0) {
                partitions += parallelism;
            }
            step(
                    "partitions",
                    partitions + "",
                    "%d x %d subtasks: as many for each subtask, %d or more, and as many on each of %d broker nodes",
                    partitions / parallelism,
                    parallelism,
                    PARTITIONS_PER_SUBTASK,
                    nodes);
            return partitions;
        }

        private int generators(long devices) {
            double cores = cores("generator", rates.readingsPerSecondPerCore().generator());
            int byCpu = (int) Math.ceil(cores / shape.generatorCpu());
            int byDevices = (int) Math.ceil((double) devices / GeneratorSettings.MAX_DEVICES);
            int pods = Math.max(byCpu, byDevices);
            if (byDevices > byCpu) {
                step(
                        "generator pods",
                        pods + "",
                        "ceil(%,d devices / %,d that one can be), one on each %s",
                        devices,
                        GeneratorSettings.MAX_DEVICES,
                        shape.loadType());
            } else {
                step(
                        "generator pods",
                        pods + "",
                        "ceil(%.2f cores / %d cpu of a pod), one on each %s",
                        cores,
                        shape.generatorCpu(),
                        shape.loadType());
            }
            if (devices > GeneratorSettings.MAX_ALL_DEVICES) {
                problems.add("the generators can be " + number(GeneratorSettings.MAX_ALL_DEVICES) + " devices, and "
                        + number(request.rate()) + " readings/s take " + number(devices));
            }
            return pods;
        }

        private double brokers() {
            long perCore = rates.readingsPerSecondPerCore().broker();
            int cpu = shape.brokerCpuPerNode();
            int nodes = request.brokerNodes();
            double share = share("brokers", perCore, shape.replicas(), nodes, cpu);
            if (share > request.utilisation()) {
                problems.add("the brokers cannot carry " + number(request.rate()) + " readings/s: " + percent(share)
                        + " of the cores of " + nodes + " nodes would be used, and it may be "
                        + percent(request.utilisation()) + "; "
                        + more(share, request.utilisation(), most((double) perCore / shape.replicas(), cpu)));
            }
            return share;
        }

        /** What would be right for brokers: more nodes of those that there may be, or the rate that these carry. */
        private String more(double share, double bound, long ratePerNode) {
            int nodes = request.brokerNodes();
            return shape.brokerNodes().stream()
                    .filter(other -> other > nodes && share * nodes / other <= bound)
                    .findFirst()
                    .map(other -> "--broker-nodes " + other + " would carry it, at " + percent(share * nodes / other))
                    .orElseGet(() -> {
                        int greatest = shape.brokerNodes().stream()
                                .mapToInt(Integer::intValue)
                                .max()
                                .orElse(nodes);
                        return greatest + " nodes carry " + number((double) ratePerNode * greatest) + " readings/s";
                    });
        }

        private long devices() {
            MeasuredRates.Load load = rates.load();
            long devices = Math.max(1, Math.round((double) request.rate() * load.devices() / load.readingsPerSecond()));
            step(
                    "devices",
                    number(devices),
                    "%,d readings/s x %,d devices / %,d readings/s: as often from each as when it was measured",
                    request.rate(),
                    load.devices(),
                    load.readingsPerSecond());
            return devices;
        }

        private long network() {
            int copies = shape.replicas() + 1;
            long bytes = request.rate() * rates.load().payloadBytes() * copies / request.brokerNodes();
            step(
                    "network of a broker node",
                    megabytes(bytes) + "/s in and out, at most",
                    "%,d readings/s x %d bytes x (%d replicas + 1) / %d nodes: from the generator and to each replica;"
                            + " from the replicas and to the job",
                    request.rate(),
                    rates.load().payloadBytes(),
                    shape.replicas(),
                    request.brokerNodes());
            return bytes;
        }

        private long disk() {
            long bytes = request.rate()
                    * rates.load().payloadBytes()
                    * SECONDS_PER_HOUR
                    * shape.replicas()
                    / request.brokerNodes();
            step(
                    "disk of a broker node",
                    gibibytes(bytes) + " in an hour",
                    "%,d readings/s x %d bytes x 3,600 s x %d replicas / %d nodes, uncompressed",
                    request.rate(),
                    rates.load().payloadBytes(),
                    shape.replicas(),
                    request.brokerNodes());
            return bytes;
        }

        private long retention(int partitions) {
            double hour = (double) request.rate() * rates.load().payloadBytes() * SECONDS_PER_HOUR;
            double exact = Math.max(GIB, hour * RETENTION_HOURS / partitions);
            long each = (long) Math.ceil(exact / MIB) * MIB;
            step(
                    "retention",
                    gibibytes(each) + " of each partition",
                    "%d hours x %s / %d partitions, or 1 GiB: an hour is kept by age, and age must be what decides",
                    RETENTION_HOURS,
                    gibibytes(hour),
                    partitions);
            // Of what is kept, not of whole MiB: the rate that is named for these disks is the rate that they take.
            double share = exact * partitions * shape.replicas() / request.brokerNodes() / shape.diskBytes();
            step(
                    "disk of a broker node when that is full",
                    percent(share),
                    "%s x %d partitions x %d replicas / %d nodes / %s of one disk",
                    gibibytes(each),
                    partitions,
                    shape.replicas(),
                    request.brokerNodes(),
                    gibibytes(shape.diskBytes()));
            if (share > DISK_SHARE) {
                double perNode = DISK_SHARE
                        * shape.diskBytes()
                        / shape.replicas()
                        / RETENTION_HOURS
                        / SECONDS_PER_HOUR
                        / rates.load().payloadBytes();
                problems.add("the brokers' disks cannot keep an hour of " + number(request.rate()) + " readings/s: "
                        + percent(share) + " of a disk would be full on " + request.brokerNodes()
                        + " nodes, and it may be "
                        + percent(DISK_SHARE) + "; " + more(share, DISK_SHARE, (long) perNode));
            }
            return each;
        }

        private static String plain(double share) {
            return java.math.BigDecimal.valueOf(share).stripTrailingZeros().toPlainString();
        }

        private static String percent(double share) {
            return String.format(Locale.ROOT, "%.1f %%", share * 100);
        }

        private static String megabytes(double bytes) {
            return String.format(Locale.ROOT, "%,.0f MB", bytes / 1e6);
        }

        private static String gibibytes(double bytes) {
            return String.format(Locale.ROOT, "%,.1f GiB", bytes / GIB);
        }
    }
}
