package dev.millrace.deploy.sizing;

import dev.millrace.deploy.sizing.MeasuredRates.Load;
import dev.millrace.deploy.sizing.MeasuredRates.Origin;
import dev.millrace.deploy.sizing.MeasuredRates.PerCore;

/** Rates that a person can calculate with, of a broker that is nowhere. */
final class Rates {
    static final MeasuredRates NORTH = of("north", new PerCore(100_000, 80_000, 60_000));

    private Rates() {}

    static MeasuredRates of(String broker, PerCore rates) {
        return new MeasuredRates(
                broker,
                "4.1",
                new Origin(
                        "2026-11-23",
                        "sizing-1",
                        "sizing",
                        2,
                        "c0ffee",
                        "Model 7",
                        2,
                        "15990 MiB",
                        "Linux 6.1",
                        "VM 17"),
                new Load(15_625, 15_625, 300, "lz4", 1, 2, 1, "10s", "rocksdb"),
                rates);
    }
}
