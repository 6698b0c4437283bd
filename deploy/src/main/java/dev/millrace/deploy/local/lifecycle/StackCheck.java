package dev.millrace.deploy.local.lifecycle;

import dev.millrace.connectors.api.broker.Broker;
import dev.millrace.connectors.api.local.Ports;
import dev.millrace.connectors.api.store.ResultStore;
import dev.millrace.connectors.api.store.ResultStores;
import dev.millrace.connectors.api.store.StoreClient;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.LocalFolder;
import dev.millrace.core.settings.Options;
import dev.millrace.core.settings.UserException;
import dev.millrace.core.settings.Values;
import dev.millrace.deploy.local.Installation;
import dev.millrace.deploy.local.OwnerOnly;
import dev.millrace.deploy.local.PropertiesFile;
import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.deploy.local.StackMemory;
import dev.millrace.deploy.local.StackSettings;
import dev.millrace.deploy.local.StackState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** What must hold before anything of a stack is started. */
final class StackCheck {
    /** As a path of -Xlog: the process's id, the time, the host's name. */
    private static final Pattern JVM_EXPANDS = Pattern.compile("%(p|t|hn)");

    private static final long FREE_DISK_BYTES_MIN = 2L << 30;

    private StackCheck() {}

    /** That this is a Java that everything was found to work on. */
    static void java() {
        int feature = Runtime.version().feature();
        if (feature != 17 && feature != 21) {
            throw new EnvironmentException("this is Java " + feature + " (" + Installation.java()
                    + "); Millrace runs on 17 or 21: set JAVA_HOME to one of them");
        }
    }

    /** That plugin, job and store are built; nothing is loaded. */
    static void built(Installation installation, StackSettings settings) {
        if (settings.broker().isEmpty()) {
            throw new UserException(
                    "say which broker with --broker; there are: " + String.join(", ", installation.brokers()));
        }
        installation.builtPlugin(settings.broker());
        installation.jobJar();
        installation.flinkClassPath();
        installation.classPath();
    }

    /**
     * That a stack that resumes lies where its job ran. Checkpoints name their files by where those lay: a stack that was moved does
     * not find them, and the job of a copy would delete the original's.
     */
    static void notMoved(RunDirectory directory) {
        Path job = directory.flinkFolder().resolve(StackState.JOB_MANAGER).resolve("job.properties");
        Optional<Path> before = PropertiesFile.read(job)
                .flatMap(values -> LocalFolder.of(values.getOrDefault("checkpoint-directory", "")))
                .map(Path::getParent);
        if (before.isPresent() && directory.hasCheckpoint() && !isSame(before.get(), directory.path())) {
            throw new UserException("this run directory (" + directory.path() + ") was moved or copied from "
                    + before.get() + "; put it back there, or take it down with its data: millrace down --broker "
                    + directory.broker());
        }
    }

    /** Also by another way to the same folder: a link. */
    private static boolean isSame(Path one, Path other) {
        try {
            return Files.isSameFile(one, other);
        } catch (IOException e) {
            return false;
        }
    }

    /** That broker and store take the settings of their servers, which they are else asked for only when data may be dropped already. */
    static void serverSettings(Broker broker, StackSettings settings) {
        if (!settings.isForeignBroker()) {
            broker.localMemoryBytes(StackMemory.ofServer(settings));
        }
        ResultStores.named(settings.store())
                .check(settings.isForeignStore() ? settings.foreignStoreOptions() : settings.storeOptions());
    }

    /** That a broker of a person's own takes the settings of its clients, and answers. */
    static void foreignBroker(Broker broker, StackSettings settings) {
        if (settings.isForeignBroker()) {
            broker.connect(settings.foreignBrokerOptions()).close();
        }
    }

    /**
     * That a store of a person's own can be used; its tables are made here, so that what it refuses is said at once.
     *
     * @param resumes the stack may have rows there: what does not fit any more stays as it is
     */
    static void foreignStore(StackSettings settings, boolean resumes) {
        if (!settings.isForeignStore()) {
            return;
        }
        ResultStore store = ResultStores.named(settings.store());
        Options options = settings.foreignStoreOptions();
        try (StoreClient client = store.connect(options)) {
            prepare(client, () -> {
                if (!resumes && settings.ownsStoreDatabase()) {
                    store.drop(options);
                }
            });
        } catch (IllegalArgumentException e) {
            throw new UserException(String.valueOf(e.getMessage()), e);
        }
    }

    /** @param undo of what was made before something was refused; that it fails too is less than why it is needed */
    private static void prepare(StoreClient client, Runnable undo) {
        try {
            client.prepare();
        } catch (RuntimeException e) {
            try {
                undo.run();
            } catch (RuntimeException left) {
                e.addSuppressed(left);
            }
            throw e;
        }
    }

    /** That the ports a person named are free; all that are taken are in one message. */
    static void ports(StackSettings settings) {
        List<String> problems = new ArrayList<>();
        Map<Integer, String> named = new java.util.TreeMap<>();
        settings.ports().forEach((key, ports) -> {
            for (int port : ports) {
                String other = named.putIfAbsent(port, key);
                if (other != null) {
                    problems.add("--" + other + " and --" + key + " both name port " + port);
                } else {
                    Ports.refusal(port)
                            .ifPresent(refusal -> problems.add("port " + port + " (--" + key + ") " + refusal));
                }
            }
        });
        if (!problems.isEmpty()) {
            throw new UserException(String.join("; ", problems)
                    + "; name a free one or leave the option out and the next free one is used");
        }
    }

    /** That the run directory can be written and has room. */
    static void disk(RunDirectory directory) {
        Path path = directory.path();
        refuse(path, ",:", "a comma or a colon separates paths in the settings of servers");
        if (JVM_EXPANDS.matcher(path.toString()).find()) {
            throw new UserException("the run directory cannot be " + path
                    + ": Java puts a number or a time in the place of %p, %t and %hn in the names of logs; put it elsewhere with"
                    + " --run-dir");
        }
        try {
            refuseOthers(directory);
            // Before anything is made: what has no room leaves no folder behind.
            long free = Files.getFileStore(nearest(path)).getUsableSpace();
            if (free < FREE_DISK_BYTES_MIN) {
                throw new EnvironmentException("only " + Values.text(free) + " of disk are free at " + path
                        + "; a stack needs " + Values.text(FREE_DISK_BYTES_MIN)
                        + ": free some, or put the run directory elsewhere with --run-dir");
            }
            Files.createDirectories(directory.supervisorFolder());
            OwnerOnly.folder(path);
            Path probe = Files.createTempFile(directory.supervisorFolder(), "writable", "");
            Files.writeString(probe, "x");
            Files.delete(probe);
        } catch (IOException e) {
            throw new EnvironmentException(
                    "the run directory " + path + " cannot be written (" + e
                            + "); mend its rights, free some disk, or put it elsewhere with --run-dir",
                    e);
        }
    }

    private static void refuse(Path path, String characters, String why) {
        if (path.toString().chars().anyMatch(one -> characters.indexOf(one) >= 0)) {
            throw new UserException(
                    "the run directory cannot be " + path + ": " + why + "; put it elsewhere with --run-dir");
        }
    }

    /** A folder that is a person's own, such as one where a server of that name lives: its rights would change, and down delete. */
    private static void refuseOthers(RunDirectory directory) throws IOException {
        List<String> others = directory.others();
        boolean isStack = Files.isRegularFile(directory.stackFile()) || Files.exists(directory.deletingMark());
        if (!isStack && !others.isEmpty()) {
            throw new UserException("the run directory would be " + directory.path() + ", which holds "
                    + String.join(", ", others.subList(0, Math.min(3, others.size())))
                    + (others.size() > 3 ? " and " + (others.size() - 3) + " more" : "")
                    + ", and that is no stack's; name another folder with --run-dir");
        }
    }

    /** The folder itself, or the first above it that is there. */
    private static Path nearest(Path path) {
        Path there = path.toAbsolutePath();
        while (!Files.exists(there) && there.getParent() != null) {
            there = there.getParent();
        }
        return there;
    }

    /** The settings a person wrote in a file, each checked by itself so that the message can say where. */
    static Options file(Path file) {
        Map<String, String> values = Environment.resolved(
                "settings file " + file,
                PropertiesFile.read(file).orElseThrow(() -> new UserException("there is no settings file " + file)),
                System.getenv());
        StackSettings.named("settings file " + file, Options.of(values));
        return Options.of(values);
    }
}
