package dev.millrace.deploy.sizing;

import java.util.ArrayList;
import java.util.List;

/** What a derivation does not know, or takes for granted. */
final class Caveats {
    private Caveats() {}

    static List<String> of(Derivation derivation) {
        SizeRequest request = derivation.request();
        MeasuredRates rates = derivation.rates();
        MeasuredRates.Origin measured = rates.measured();
        MeasuredRates.Load load = rates.load();
        List<String> caveats = new ArrayList<>(List.of(
                "The rates were measured on " + measured.machine() + ", not on "
                        + request.shape().brokerType() + " and "
                        + request.shape().flinkType() + "; whoever has those writes the file again from a run there ("
                        + SizingFile.HOW + ").",
                "They hold for readings of " + load.payloadBytes() + " bytes, compression " + load.compression()
                        + ", windows of " + load.window() + ", state in " + load.stateBackend() + ", and "
                        + Derivation.number(load.readingsPerSecond()) + " readings/s of "
                        + Derivation.number(load.devices())
                        + " devices on " + load.parallelism() + (load.parallelism() == 1 ? " subtask." : " subtasks."),
                "Not in them: TLS, a network between machines, more than " + load.replicas()
                        + (load.replicas() == 1 ? " replica" : " replicas")
                        + ", the store. Each further replica is counted like the first, which also served generator and job;"
                        + " the nodes of the store are as many as ever."));
        if (request.brokerNodes() == request.shape().replicas()) {
            caveats.add(
                    "A broker that wants all replicas on nodes of their own for each write takes no readings while one of the "
                            + request.brokerNodes() + " is away; whether " + rates.broker() + " does is in brokers/"
                            + rates.broker() + "/README.md.");
        }
        if (derivation.generators() > 1) {
            caveats.add("Each of " + derivation.generators()
                    + " generators has devices and a ledger of its own: millrace audit runs in the"
                    + " pod of each, and each answers for its own devices.");
        }
        return List.copyOf(caveats);
    }
}
