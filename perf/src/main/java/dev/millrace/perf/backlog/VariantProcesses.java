package dev.millrace.perf.backlog;

import dev.millrace.deploy.local.Installation;
import java.util.EnumMap;
import java.util.Map;

/** The processes of a broker's variants, each started when it is first asked for and stopped with all others. */
final class VariantProcesses implements AutoCloseable {
    private final Installation installation;
    private final FilledStack stack;
    private final Map<Variant, VariantProcess> processes = new EnumMap<>(Variant.class);

    VariantProcesses(Installation installation, FilledStack stack) {
        this.installation = installation;
        this.stack = stack;
    }

    VariantProcess of(Variant variant) {
        return processes.computeIfAbsent(
                variant,
                one -> VariantProcess.start(
                        one,
                        installation,
                        stack.settings().broker(),
                        stack.directory().path().resolve("drains").resolve(one.word())));
    }

    @Override
    public void close() {
        processes.values().forEach(VariantProcess::close);
    }
}
