package dev.millrace.perf.backlog;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.connectors.api.store.ResultStores;
import dev.millrace.connectors.api.store.StoreClient;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.deploy.local.Folders;
import dev.millrace.deploy.local.StackSettings;
import dev.millrace.deploy.local.StackState;
import dev.millrace.deploy.look.StackAudit;
import dev.millrace.perf.probe.MachineUse;
import dev.millrace.perf.probe.MachineWatch;
import dev.millrace.perf.variant.Variant;
import dev.millrace.perf.variant.VariantProcess;
import dev.millrace.perf.variant.VariantSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One variant once: its process drains the filled topic, the first time after passes that are not measured, into a store of its own
 * that is audited against the generator's ledger and thrown away.
 */
final class VariantDrain {
    private static final Duration BOUND = Duration.ofMinutes(60);
    private static final Duration AUDIT_BOUND = Duration.ofSeconds(30);
    private static final String NONE = "0";

    private final Variant variant;
    private final VariantProcess process;
    private final int round;
    private final FilledStack stack;
    private final @Nullable DrainStores stores;
    private final Path folder;
    private DrainStores.@Nullable Open store;
    private DrainStores.@Nullable Open warmUpStore;

    /** @param stores null: rows go nowhere, because the store is not to be what is measured */
    VariantDrain(Variant variant, VariantProcess process, int round, FilledStack stack, @Nullable DrainStores stores) {
        this.variant = variant;
        this.process = process;
        this.round = round;
        this.stack = stack;
        this.stores = variant.makesRows() ? stores : null;
        this.folder = stack.drains().resolve(round + "-" + variant.word());
    }

    /**
     * @param passes how often the topic is drained unmeasured before, by a process that is not warm: a number, or {@code quiet}
     * @param readings how far each of these but the first goes; null: to the end
     */
    Drain run(String passes, @Nullable Long readings) {
        StackSettings settings = stack.settings();
        try {
            Folders.delete(folder);
            Files.createDirectories(folder);
            String warmUpPasses = process.isWarm() ? NONE : passes;
            if (stores != null) {
                store = stores.open(folder.resolve("store"));
                if (!warmUpPasses.equals(NONE)) {
                    warmUpStore = stores.open(folder.resolve("warm-up-store"));
                }
            }
            Path answer = VariantSettings.result(folder);
            Path asked = VariantSettings.write(folder, jobSettings(settings, warmUpPasses, readings));
            JsonNode result;
            MachineUse machine;
            try (MachineWatch watch =
                    MachineWatch.start(stack.state().part(StackState.BROKER).pid() > 0)) {
                process.drain(asked, answer, BOUND);
                result = new ObjectMapper().readTree(answer.toFile());
                long endNanos = System.nanoTime() - result.get("endedNanosAgo").asLong();
                machine = watch.between(endNanos - result.get("endNanos").asLong(), endNanos);
            }
            Drain drain = drain(settings, result, machine);
            closeStores();
            if (drain.audit() == Drain.Verdict.DIFFERENT) {
                stack.keep(folder);
            } else {
                // Flink may still be removing old checkpoints there.
                Folders.delete(folder);
            }
            return drain;
        } catch (IOException e) {
            throw new EnvironmentException("cannot write in " + folder + ": " + e.getMessage(), e);
        }
    }

    private Map<String, String> jobSettings(StackSettings settings, String passes, @Nullable Long readings) {
        StackState state = stack.state();
        Map<String, String> values = VariantSettings.of(settings, state, variant, round, folder);
        values.put("stop-at", "end");
        values.put("store", store == null ? "counting" : DrainStores.NAME);
        if (store != null) {
            store.options().asMap().forEach((key, value) -> values.put("store." + key, value));
        }
        values.put("drain.store-pid", Long.toString(store == null ? 0 : store.pid()));
        if (warmUpStore != null) {
            warmUpStore.options().asMap().forEach((key, value) -> values.put("drain.warm-up-store." + key, value));
        }
        values.put("drain.warm-up-passes", passes);
        if (readings != null) {
            values.put("drain.warm-up-readings", readings.toString());
        }
        values.put(
                "drain.broker-pid", Long.toString(state.part(StackState.BROKER).pid()));
        return values;
    }

    private Drain drain(StackSettings settings, JsonNode result, MachineUse machine) {
        Samples samples = new Samples();
        result.get("samples")
                .forEach(one -> samples.add(one.get(0).asLong(), one.get(1).asLong()));
        long sent = settings.boundedReadings();
        double millions = sent / 1e6;
        return new Drain(
                settings.broker(),
                variant.word(),
                round,
                sent,
                samples.rateBetween(sent * 0.1, sent * 0.9),
                storesRowsBeforeTheEnd() ? (result.get("endNanos").asLong() - samples.firstNanos()) / 1e9 : Double.NaN,
                result.get("cpuNanos").asLong() / 1e9 / millions,
                Drain.cpuPerMillion(
                        stack.state().part(StackState.BROKER).pid(),
                        result.get("brokerCpuNanos").asLong(),
                        sent),
                Drain.cpuPerMillion(
                        store != null && storesRowsBeforeTheEnd() ? store.pid() : 0,
                        result.get("storeCpuNanos").asLong(),
                        sent),
                result.get("allocatedBytes").asLong() / (double) sent,
                result.get("compileMillis").asLong() / 1e3,
                machine,
                result.get("warmUpPasses").asInt(),
                result.get("warmUpReadings").asLong(),
                audit(settings, result.get("readings").asLong() == sent));
    }

    /** The loop without Flink stores its rows when the clock has stopped, for the audit. */
    private boolean storesRowsBeforeTheEnd() {
        return store != null && variant != Variant.PLAIN;
    }

    private Drain.Verdict audit(StackSettings settings, boolean countedOnce) {
        if (!countedOnce) {
            return Drain.Verdict.DIFFERENT;
        }
        if (store == null) {
            return Drain.Verdict.COUNTED;
        }
        try (StoreClient client = ResultStores.named(DrainStores.NAME).connect(store.options())) {
            StackAudit audit = new StackAudit(stack.directory(), settings, client, null, line -> {});
            return audit.run(AUDIT_BOUND).ok() ? Drain.Verdict.EQUAL : Drain.Verdict.DIFFERENT;
        }
    }

    private void closeStores() {
        if (stores != null && store != null) {
            stores.close(store);
        }
        if (stores != null && warmUpStore != null) {
            stores.close(warmUpStore);
        }
    }
}
