package dev.millrace.deploy.local.supervisor;

import dev.millrace.connectors.api.local.Ports;
import dev.millrace.connectors.api.local.ServerProcess;
import dev.millrace.deploy.local.FlinkKeys;
import dev.millrace.deploy.local.PropertiesFile;
import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.deploy.local.Site;
import dev.millrace.deploy.local.StackSettings;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * This machine: all on loopback, on the ports that the supervisor gives to the processes it starts; remembered, so that a stack that comes back has the ports it
 * had, where they are still free. Thread-safe.
 */
final class StackPorts implements Site {
    private static final String LOOPBACK = "127.0.0.1";
    /** Nobody outside the JobManager and its TaskManager needs to know them. */
    private static final List<String> ANY = List.of(BLOB, TASK_RPC, TASK_DATA, FIGURES);

    private static final Map<String, Integer> WELL_KNOWN = Map.of(
            WEB, 8081,
            RPC, 6123,
            JOB_MANAGER_METRICS, 9249,
            TASK_MANAGER_METRICS, 9250,
            GENERATOR, 8090,
            SUPERVISOR, 8091);

    private final RunDirectory directory;
    private final StackSettings settings;
    private final Map<String, Integer> given = new TreeMap<>();

    StackPorts(RunDirectory directory, StackSettings settings) {
        this.directory = directory;
        this.settings = settings;
        // Before any is chosen: who comes first must not take what was named for one that comes later.
        Ports.reserve(settings.ports().values().stream().flatMap(List::stream).collect(Collectors.toSet()));
    }

    /**
     * {@inheritDoc} Another one when a stranger has taken it while its process was down.
     */
    @Override
    public synchronized int port(String purpose, String process) {
        if (ANY.contains(purpose)) {
            return 0;
        }
        Integer port = given.get(purpose);
        boolean lost = port != null && !process.isEmpty() && !isRunning(process) && !Ports.isFree(port);
        if (port == null || lost) {
            port = choose(purpose, process);
            given.put(purpose, port);
        }
        return port;
    }

    @Override
    public String host(String part) {
        return LOOPBACK;
    }

    @Override
    public String bind() {
        return LOOPBACK;
    }

    @Override
    public boolean logsToOutput() {
        return false;
    }

    @Override
    public Optional<FlinkKeys> flinkKeys() {
        return Optional.empty();
    }

    private int choose(String purpose, String process) {
        var file = directory.supervisorFolder().resolve("ports.properties");
        Map<String, String> remembered = PropertiesFile.read(file).orElseGet(TreeMap::new);
        int port = named(purpose);
        boolean inUseByIt = remembered.containsKey(purpose) && isRunning(process);
        boolean another = port > 0 && !Integer.toString(port).equals(remembered.get(purpose));
        if (inUseByIt && !another) {
            port = Integer.parseInt(remembered.get(purpose));
        } else if (port > 0) {
            port = Ports.named(port, "--" + option(purpose));
        } else {
            int preferred = Integer.parseInt(
                    remembered.getOrDefault(purpose, WELL_KNOWN.get(purpose).toString()));
            port = Ports.firstFree(preferred);
        }
        remembered.put(purpose, Integer.toString(port));
        PropertiesFile.write(file, remembered);
        return port;
    }

    private boolean isRunning(String process) {
        return ServerProcess.running(process, directory.supervisorFolder()).isPresent();
    }

    private int named(String purpose) {
        int port = settings.port(option(purpose)).orElse(0);
        return port > 0 && purpose.equals(TASK_MANAGER_METRICS) ? port + 1 : port;
    }

    private static String option(String purpose) {
        return switch (purpose) {
            case JOB_MANAGER_METRICS, TASK_MANAGER_METRICS -> "metrics-port";
            default -> purpose + "-port";
        };
    }
}
