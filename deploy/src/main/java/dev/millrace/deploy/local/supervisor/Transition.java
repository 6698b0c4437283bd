package dev.millrace.deploy.local.supervisor;

import dev.millrace.connectors.api.broker.Broker;
import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.connectors.api.store.ResultStores;
import dev.millrace.connectors.api.store.StoreClient;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.local.FlinkRest;
import dev.millrace.deploy.local.Folders;
import dev.millrace.deploy.local.NumberFile;
import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.deploy.local.StackFile;
import dev.millrace.deploy.local.StackSettings;
import dev.millrace.deploy.local.part.BrokerPart;
import dev.millrace.deploy.local.part.Part;
import dev.millrace.deploy.local.part.StorePart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a supervisor does at its start and soon after, where the stack's file asks for more than other settings of its
 * processes: state that is dropped, partitions that are added. Each step leaves a mark when it is done and can be done again
 * when it was not. Used by the supervisor's main thread.
 */
final class Transition {
    private static final Logger LOG = LoggerFactory.getLogger(Transition.class);

    private final RunDirectory directory;
    private final StackFile stack;
    private final boolean dropsState;
    private final boolean addsPartitions;
    private long allReadSinceMillis;

    Transition(RunDirectory directory, StackFile stack) {
        this.directory = directory;
        this.stack = stack;
        this.dropsState = NumberFile.read(directory.stateNumberFile()).orElse(1) < stack.stateNumber();
        long partitions = stack.settings().partitions();
        this.addsPartitions = NumberFile.read(directory.partitionsFile()).orElse(partitions) < partitions;
    }

    /** Before anything is started or taken over. */
    void begin(Part generator, List<Part> job, StorePart store) {
        if (addsPartitions) {
            // Its next start sends to the new partitions, and that must not be before the job reads them.
            generator.stop();
        }
        if (dropsState) {
            LOG.info("the state is dropped: number {}", stack.stateNumber());
            job.forEach(Part::kill);
            try {
                // Savepoints first: they count only beside checkpoints. The store last: a job without checkpoints
                // refuses one that holds windows.
                for (Path data : List.of(directory.savepoints(), directory.checkpoints())) {
                    Folders.delete(data);
                }
                store.dropRows();
                Files.deleteIfExists(directory.readingsFromFile());
                // Its verdict is of rows that are gone.
                Files.deleteIfExists(directory.auditFile());
            } catch (IOException e) {
                throw new EnvironmentException("cannot drop the state in " + directory.path() + ": " + e, e);
            }
        }
    }

    /** When the broker is up, before the job is. */
    void brokerIsUp(BrokerPart broker) {
        if (dropsState) {
            broker.renewResults();
            NumberFile.write(directory.stateNumberFile(), stack.stateNumber());
        }
        if (!addsPartitions) {
            NumberFile.write(directory.partitionsFile(), stack.settings().partitions());
        }
    }

    /** Whether the generator must wait for {@link #jobReadsAllPartitions}. */
    boolean addsPartitions() {
        return addsPartitions;
    }

    /**
     * Whether every partition holds the job's watermark back, now and after a restart: its split is assigned, and a checkpoint
     * that began later is complete. Were readings sent to a new partition before, others could close their windows.
     */
    boolean jobReadsAllPartitions(String webUrl) {
        Optional<FlinkRest.Job> job = FlinkRest.of(directory, webUrl).job();
        int partitions = stack.settings().partitions();
        boolean all = job.filter(FlinkRest.Job::runs).isPresent()
                && job.get().splits().orElse(0) >= partitions;
        long now = System.currentTimeMillis();
        if (!all) {
            allReadSinceMillis = 0;
            return false;
        }
        allReadSinceMillis = allReadSinceMillis == 0 ? now : allReadSinceMillis;
        if (job.get().checkpointTriggeredMillis().orElse(0) <= allReadSinceMillis) {
            return false;
        }
        try {
            NumberFile.write(directory.partitionsFile(), partitions);
        } catch (EnvironmentException e) {
            LOG.warn("the new partitions wait: {}", e.getMessage());
            return false;
        }
        return true;
    }

    /**
     * After state was dropped: notes from which event time on the broker still had all readings, as soon as rows show that the
     * job has begun to read. Before that time windows are not whole.
     */
    void noteReadingsFrom(Broker broker, BrokerPart part, StorePart store) {
        if (stack.stateNumber() == 1 || Files.exists(directory.readingsFromFile())) {
            return;
        }
        StackSettings settings = stack.settings();
        try (StoreClient client = ResultStores.named(settings.store()).connect(store.options())) {
            if (client.extent().rows() == 0) {
                return;
            }
        } catch (EnvironmentException e) {
            return;
        }
        try (BrokerClient client = broker.connect(part.options())) {
            long from = OldestReadings.completeFrom(client, settings.topic(), settings.outOfOrderness());
            NumberFile.write(directory.readingsFromFile(), from);
        } catch (UserException | EnvironmentException e) {
            LOG.warn("the oldest readings are not known yet: {}", e.getMessage());
        }
    }
}
