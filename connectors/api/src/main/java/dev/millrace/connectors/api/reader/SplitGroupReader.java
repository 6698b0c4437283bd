package dev.millrace.connectors.api.reader;

import dev.millrace.connectors.api.broker.GroupReader;
import dev.millrace.core.reading.PayloadChunk;
import dev.millrace.core.reading.Position;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.UserException;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.connector.base.source.reader.splitreader.SplitReader;
import org.apache.flink.connector.base.source.reader.splitreader.SplitsAddition;
import org.jspecify.annotations.Nullable;

/**
 * The group reader of every plugin: the plugin's split reader and position committer, as in the job's source, without Flink between
 * them. Used by one thread.
 *
 * @param <S> the plugin's split
 */
public final class SplitGroupReader<S extends SourceSplit> implements GroupReader {
    private final String name;
    private final SplitReader<PayloadChunk, S> reader;
    private final Map<Integer, String> splitIds = new HashMap<>();
    private final PositionCommitter committer;
    private @Nullable CommitThread commits;
    private ChunkBatch batch = new ChunkBatch();

    /**
     * @param name of topic and group, for messages
     * @param reader gives each fetch as a {@link ChunkBatch}; is closed with this
     * @param splits by partition, each from where it begins and without a stop
     * @param committer is closed with this
     */
    public SplitGroupReader(
            String name, SplitReader<PayloadChunk, S> reader, Map<Integer, S> splits, PositionCommitter committer) {
        this.name = name;
        this.reader = reader;
        this.committer = committer;
        splits.forEach((partition, split) -> splitIds.put(partition, split.splitId()));
        try {
            reader.handleSplitsChanges(new SplitsAddition<>(List.copyOf(splits.values())));
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    @Override
    public List<PayloadChunk> poll() {
        try {
            batch.recycle();
            batch = (ChunkBatch) reader.fetch();
            return batch.takeAll();
        } catch (EnvironmentException | UserException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            throw new EnvironmentException(name + " cannot be read: " + e.getMessage(), e);
        }
    }

    @Override
    public void commit(Map<Integer, Position> lastRead) {
        try {
            committer.commit(ofSplits(lastRead));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EnvironmentException(name + ": interrupted while positions were reported", e);
        } catch (EnvironmentException | UserException e) {
            throw e;
        } catch (Exception e) {
            throw new EnvironmentException(name + ": positions were not reported: " + e, e);
        }
    }

    @Override
    public void commitLater(Map<Integer, Position> lastRead) {
        if (commits == null) {
            commits = new CommitThread(committer, 0);
        }
        commits.commit(ofSplits(lastRead));
    }

    private Map<String, Position> ofSplits(Map<Integer, Position> lastRead) {
        Map<String, Position> positions = new HashMap<>();
        lastRead.forEach((partition, position) -> positions.put(splitIds.get(partition), position));
        return positions;
    }

    @Override
    public void close() {
        try {
            reader.close();
        } catch (EnvironmentException | UserException e) {
            throw e;
        } catch (Exception e) {
            throw new EnvironmentException(name + " was not closed: " + e.getMessage(), e);
        } finally {
            if (commits == null) {
                committer.close();
            } else {
                commits.close();
            }
        }
    }
}
