package dev.millrace.perf.publish;

import dev.millrace.connectors.api.baseline.LoadTool;
import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.connectors.api.broker.LocalBroker;
import dev.millrace.connectors.api.broker.TopicSpec;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.Options;
import dev.millrace.deploy.local.Folders;
import dev.millrace.deploy.local.Installation;
import dev.millrace.perf.round.LeftStacks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A broker alone, without job and store, for as long as it is open; each run has a topic of its own there. {@link #close} may be
 * called by any thread: it ends what runs, and leaves nothing but the logs of processes.
 */
final class PublishServer implements AutoCloseable {
    private static final Duration START_BOUND = Duration.ofSeconds(90);
    /** As slow as no machine should be: a run that is slower is given up. */
    private static final long LEAST_PER_SECOND = 2_000;

    private static final int PATIENCE = 3;
    /** Everything stays until the topic is removed. */
    private static final long KEEP_ALL = -1;

    private static final Duration RETENTION = Duration.ofDays(1);

    private final Installation installation;
    private final PluginWithTool plugin;
    private final PublishLoad load;
    private final Path folder;

    private @Nullable LocalBroker local;
    private boolean closed;
    private volatile @Nullable PublishTrial running;
    private int runs;

    /** @param folder its own; what an earlier one left there is removed */
    PublishServer(Installation installation, PluginWithTool plugin, PublishLoad load, Path folder) {
        this.installation = installation;
        this.plugin = plugin;
        this.load = load;
        this.folder = folder;
    }

    /** Returns when a client can use it. */
    synchronized void start() {
        if (closed) {
            throw new EnvironmentException("the benchmark was ended");
        }
        try {
            delete(folder);
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new EnvironmentException("cannot write in " + folder + ": " + e.getMessage(), e);
        }
        local = plugin.broker().startLocal(LeftStacks.server(folder), load.server());
    }

    /** One side, once. */
    PublishRun run(PublishRun.Plan plan) {
        Options options = local.options();
        runs++;
        String topic = "publish-" + runs;
        Path own = folder.resolve("runs").resolve(runs + "-" + plan.side().word());
        Duration bound = bound(plan);
        try (BrokerClient client = plugin.broker().connect(options)) {
            Files.createDirectories(own);
            client.createTopic(new TopicSpec(topic, load.partitions(), 1, KEEP_ALL, RETENTION));
            Path log = own.resolve("output.log");
            try (PublishTrial trial = new PublishTrial(publishing(plan, options, topic, own, log), log)) {
                running = trial;
                return trial.run(client, topic, plan, bound);
            } finally {
                running = null;
                client.deleteTopic(topic);
            }
        } catch (IOException e) {
            throw new EnvironmentException("cannot write in " + own + ": " + e.getMessage(), e);
        }
    }

    private Publishing publishing(PublishRun.Plan plan, Options options, String topic, Path own, Path log) {
        LoadTool tool = plugin.tool();
        LoadTool.Load what =
                new LoadTool.Load(topic, plan.readings(), load.payloadBytes(), load.keyBytes(), plan.askedPerSecond());
        return plan.side() == Side.TOOL
                ? new ToolPublishing(tool, tool.start(options, what, own), log)
                : OwnPublishing.of(
                        installation, plugin.broker().name(), options, what, plan.side(), tool, bound(plan), own);
    }

    private static Duration bound(PublishRun.Plan plan) {
        long perSecond = plan.isAtFullSpeed() ? LEAST_PER_SECOND : plan.askedPerSecond();
        return START_BOUND.plusSeconds(PATIENCE * plan.readings() / perSecond);
    }

    @Override
    public void close() {
        PublishTrial trial = running;
        if (trial != null) {
            trial.close();
        }
        synchronized (this) {
            closed = true;
            if (local == null) {
                return;
            }
            local.close();
            local = null;
            try {
                delete(folder.resolve("broker"));
            } catch (IOException e) {
                throw new EnvironmentException("cannot remove " + folder + ": " + e.getMessage(), e);
            }
        }
    }

    private static void delete(Path folder) throws IOException {
        if (Files.exists(folder)) {
            Folders.delete(folder);
        }
    }
}
