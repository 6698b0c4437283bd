package dev.millrace.deploy.local.lifecycle;

import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.connectors.api.local.ServerProcess;
import dev.millrace.connectors.api.store.ResultStores;
import dev.millrace.core.process.ProcessLock;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.local.Folders;
import dev.millrace.deploy.local.Installation;
import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.deploy.local.StackFile;
import dev.millrace.deploy.local.StackSettings;
import dev.millrace.deploy.local.StackState;
import dev.millrace.deploy.local.part.ForeignTopics;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes one stack down. */
public final class StackStopper {
    private static final Logger LOG = LoggerFactory.getLogger(StackStopper.class);

    /** The supervisor stops five processes, each within 20 s. */
    private static final Duration SUPERVISOR_BOUND = Duration.ofSeconds(120);

    private static final Duration LEFT_OVER_BOUND = Duration.ofSeconds(20);
    private static final List<String> ORDER = List.of(
            StackState.SUPERVISOR,
            StackState.GENERATOR,
            StackState.TASK_MANAGER,
            StackState.JOB_MANAGER,
            StackState.STORE,
            StackState.BROKER);

    private final RunDirectory directory;

    public StackStopper(RunDirectory directory) {
        this.directory = directory;
    }

    /** Stops every process; deletes the data unless they are kept; keeps the logs. Returns whether anything ran. */
    @SuppressWarnings("try")
    public boolean down(boolean keepData) {
        try (ProcessLock lock = directory.lock()) {
            boolean ran = stop(keepData);
            if (!keepData) {
                removeLock();
            }
            return ran;
        }
    }

    /** The same for a caller that holds the lock. */
    boolean stop(boolean keepData) {
        Optional<ServerProcess> supervisor = directory.supervisor();
        boolean ran = supervisor.isPresent();
        try {
            supervisor.ifPresent(running -> running.stop(SUPERVISOR_BOUND));
        } finally {
            // Also where it does not end.
            ran |= stopLeftOvers();
        }
        keepLogs(keepData);
        if (!keepData) {
            markDeleting();
            removeForeignTopics();
            removeForeignRows();
            deleteData();
        }
        return ran;
    }

    /** Whether an earlier call was ended while it deleted the data. */
    boolean wasDeleting() {
        return Files.exists(directory.deletingMark());
    }

    private void markDeleting() {
        try {
            if (Files.isRegularFile(directory.stackFile())) {
                Files.writeString(directory.deletingMark(), "");
            }
        } catch (IOException e) {
            // A full disk must not keep the data that fill it.
            LOG.warn("{} cannot be written: {}", directory.deletingMark(), e.toString());
        }
    }

    /** Empty also where another version of this clone wrote what cannot be bound here, and all of it is in the run directory. */
    private Optional<StackSettings> settings() {
        try {
            return directory.settings();
        } catch (UserException e) {
            if (StackFile.namesForeign(directory.stackFile())) {
                throw new EnvironmentException(
                        "the stack is stopped, but what it has on a broker or in a store of yours cannot be removed by this"
                                + " build: " + e.getMessage()
                                + ". Say down with the build that started it; or remove it"
                                + " yourself, and then the folder " + directory.path(),
                        e);
            }
            LOG.warn("the data are deleted, though: {}", e.getMessage());
            return Optional.empty();
        }
    }

    /** On failure the run directory still says what is to be removed, for the next try. */
    private void removeForeignTopics() {
        Optional<StackSettings> settings = settings().filter(StackSettings::isForeignBroker);
        if (settings.isEmpty()) {
            return;
        }
        ForeignTopics topics = new ForeignTopics(directory, settings.get());
        List<String> names = topics.names();
        if (names.isEmpty()) {
            return;
        }
        try (BrokerClient client = Installation.of(directory)
                .load(directory.broker())
                .connect(settings.get().foreignBrokerOptions())) {
            names.forEach(name -> topics.remove(client, name));
        } catch (UserException | EnvironmentException e) {
            throw new EnvironmentException(
                    "the stack is stopped, but on your broker are still its topics " + String.join(", ", topics.names())
                            + ": " + e.getMessage() + ". Say down again when the broker allows it; or remove them"
                            + " yourself, and then the folder " + directory.path(),
                    e);
        }
    }

    /** Those in a database that this stack named itself; as above. */
    private void removeForeignRows() {
        Optional<StackSettings> settings =
                settings().filter(StackSettings::isForeignStore).filter(StackSettings::ownsStoreDatabase);
        if (settings.isEmpty()) {
            return;
        }
        try {
            ResultStores.named(settings.get().store()).drop(settings.get().foreignStoreOptions());
        } catch (UserException | EnvironmentException | IllegalArgumentException e) {
            throw new EnvironmentException(
                    "the stack is stopped, but in your store is still its database "
                            + settings.get().text("store-database") + ": " + e.getMessage()
                            + ". Say down again when the store allows it; or drop it yourself, and then the folder "
                            + directory.path(),
                    e);
        }
    }

    /**
     * Undoes a start that was to take over what a supervisor that died has left: that runs on, and what was started besides is
     * stopped.
     *
     * @param before pids of what ran before the start
     */
    void stopAllBut(Set<Long> before) {
        // Not in order: it would take the stack down.
        directory.supervisor().ifPresent(ServerProcess::kill);
        stopEach(directory.processes().stream()
                .filter(process -> !before.contains(process.pid()))
                .toList());
    }

    /** All of them, also where one does not end; that is thrown in the end, before anybody deletes what it may write to. */
    private static void stopEach(List<ServerProcess> processes) {
        List<EnvironmentException> failures = new ArrayList<>();
        for (ServerProcess process : processes) {
            try {
                process.stop(LEFT_OVER_BOUND);
            } catch (EnvironmentException e) {
                failures.add(e);
            }
        }
        if (!failures.isEmpty()) {
            throw failures.get(0);
        }
    }

    /** Stops what a supervisor that died has left; returns whether there was anything. */
    private boolean stopLeftOvers() {
        List<ServerProcess> left = new ArrayList<>(directory.processes());
        left.sort(Comparator.comparingInt(
                process -> ORDER.contains(process.name()) ? ORDER.indexOf(process.name()) : ORDER.size()));
        stopEach(left);
        return !left.isEmpty();
    }

    /**
     * Brings the logs that plugins write in their own folders, and raw output, to the others. Where the data go they are moved, which
     * takes no room: a full disk must not keep the data that fill it.
     */
    private void keepLogs(boolean keepData) {
        for (Path folder : List.of(directory.brokerFolder(), directory.storeFolder(), directory.supervisorFolder())) {
            if (!Files.isDirectory(folder)) {
                continue;
            }
            String prefix = folder.equals(directory.supervisorFolder()) ? "output-" : "";
            try (Stream<Path> files = Files.find(
                    folder,
                    3,
                    (file, about) -> about.isRegularFile()
                            && file.getFileName().toString().matches("[a-z][a-z-]*\\.log"))) {
                for (Path file : files.toList()) {
                    Files.createDirectories(directory.logs());
                    Path kept = directory.logs().resolve(prefix + file.getFileName());
                    if (keepData) {
                        Files.copy(file, kept, StandardCopyOption.REPLACE_EXISTING);
                    } else {
                        Files.move(file, kept, StandardCopyOption.REPLACE_EXISTING);
                    }
                }
            } catch (IOException e) {
                if (!keepData) {
                    LOG.warn("logs in {} are not kept: {}", folder, e.toString());
                    continue;
                }
                throw new EnvironmentException("cannot keep the logs in " + folder + ": " + e.getMessage(), e);
            }
        }
    }

    /** Settings of a stack that never was. */
    void forget() {
        try {
            Files.deleteIfExists(directory.stackFile());
        } catch (IOException e) {
            throw new EnvironmentException("cannot delete " + directory.stackFile() + ": " + e, e);
        }
    }

    /** The folder of a stack that never was, with what {@link StackCheck} made in it; whatever else is there stays. */
    void removeEmpty() {
        try {
            Files.deleteIfExists(directory.supervisorFolder());
        } catch (DirectoryNotEmptyException e) {
            // Of something else than those checks.
        } catch (IOException e) {
            throw new EnvironmentException("cannot delete " + directory.supervisorFolder() + ": " + e, e);
        }
        removeLock();
    }

    /** The last thing a caller that holds the lock does, when it leaves nothing but logs, or nothing. */
    void removeLock() {
        try {
            Files.deleteIfExists(directory.lockFile());
            try (Stream<Path> left = Files.list(directory.path())) {
                if (left.findAny().isEmpty()) {
                    Files.delete(directory.path());
                }
            }
        } catch (IOException e) {
            throw new EnvironmentException("cannot delete " + directory.lockFile() + ": " + e, e);
        }
    }

    /** What is somebody else's stays. The settings last: by them a stack is found, and without them data that are left would be another stack's. */
    private void deleteData() {
        try (Stream<Path> entries = Files.list(directory.path())) {
            List<Path> stay =
                    List.of(directory.logs(), directory.lockFile(), directory.deletingMark(), directory.stackFile());
            for (Path entry : entries.toList()) {
                if (directory.isOwn(entry) && !stay.contains(entry)) {
                    Folders.delete(entry);
                }
            }
            // Settings alone are a new stack; a mark alone would delete one.
            Files.deleteIfExists(directory.deletingMark());
            Files.deleteIfExists(directory.stackFile());
        } catch (IOException e) {
            throw new EnvironmentException("cannot delete the data in " + directory.path() + ": " + e, e);
        }
    }
}
