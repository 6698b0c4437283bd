package dev.millrace.deploy.kubernetes.manifest;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** The store's servers and its keepers find each other where their pods are, and get what their settings name. */
final class StoreRule implements ProductionRule {
    private static final String CLICKHOUSE = Production.NEUTRAL + "/clickhouse.yaml";
    private static final String KEEPER = Production.NEUTRAL + "/keeper.yaml";
    private static final String SERVER = Production.NEUTRAL + "/clickhouse-server.yaml";
    private static final String USERS = Production.NEUTRAL + "/clickhouse-users.yaml";
    private static final String RAFT = Production.NEUTRAL + "/keeper-server.yaml";
    private static final String JOB = Production.NEUTRAL + "/job.properties";

    @Override
    public void check(Production production, Consumer<Finding> found) {
        Map<String, String> job = production.files().settings().get(JOB).values();
        Field server = root(production, SERVER);
        Field raft = root(production, RAFT);
        Set<String> addresses = new HashSet<>(addresses(production, CLICKHOUSE));
        Set<String> keepers = addresses(production, KEEPER);
        addresses.addAll(keepers);
        Stream.of(
                        server.items("zookeeper.node"),
                        server.items("remote_servers.millrace.shard.replica"),
                        raft.items("keeper_server.raft_configuration.server"))
                .flatMap(List::stream)
                .forEach(one -> address(one, addresses, found));
        all(server.nearest("zookeeper.node"), replicas(production, KEEPER), found);
        all(server.nearest("remote_servers.millrace.shard.replica"), replicas(production, CLICKHOUSE), found);
        all(raft.nearest("keeper_server.raft_configuration.server"), replicas(production, KEEPER), found);

        listens(
                server,
                production,
                CLICKHOUSE,
                Map.of(
                        "https_port",
                        "https",
                        "tcp_port_secure",
                        "native",
                        "interserver_https_port",
                        "replicas",
                        "prometheus.port",
                        "metrics"),
                found);
        listens(raft, production, KEEPER, Map.of("keeper_server.tcp_port_secure", "client"), found);
        variables(server, production, CLICKHOUSE, found);
        variables(root(production, USERS), production, CLICKHOUSE, found);
        variables(raft, production, KEEPER, found);
        mounted(production, found);
        health(production, found);
        url(production, job, found);
        Map.of("store.cluster", "remote_servers", "store.user", "users").forEach((key, where) -> {
            Field root = where.equals("users") ? root(production, USERS) : server;
            if (!root.fields(where).containsKey(job.getOrDefault(key, ""))) {
                found.accept(new Finding(
                        JOB, 1, "", key, "there are " + root.fields(where).keySet()));
            }
        });
        boolean maySay = root(production, USERS).items("users.millrace.grants.query").stream()
                .anyMatch(grant -> grant.text().equals("GRANT ALL ON " + job.get("store.database") + ".*"));
        if (!maySay) {
            found.accept(new Finding(JOB, 1, "", "store.database", "its user has no rights on it"));
        }
    }

    private static Field root(Production production, String file) {
        return production.in(file).findFirst().orElseThrow().object();
    }

    private static Field set(Production production, String file) {
        return production
                .in(file)
                .map(Manifest::object)
                .filter(object -> object.find("spec.template").isPresent())
                .findFirst()
                .orElseGet(() -> root(production, file));
    }

    private static int replicas(Production production, String file) {
        String replicas = set(production, file).text("spec.replicas");
        return replicas.matches("\\d") ? Integer.parseInt(replicas) : 0;
    }

    /** {@code POD.SERVICE:PORT} of each pod of a StatefulSet. */
    private static Set<String> addresses(Production production, String file) {
        Set<String> addresses = new HashSet<>();
        Field set = set(production, file);
        production
                .in(file)
                .map(Manifest::object)
                .filter(object -> object.is("kind", "Service"))
                .filter(service -> service.is("metadata.name", set.text("spec.serviceName")))
                .flatMap(service -> service.items("spec.ports").stream())
                .forEach(port -> {
                    for (int i = 0; i < replicas(production, file); i++) {
                        addresses.add(set.text("metadata.name") + "-" + i + "." + set.text("spec.serviceName") + ":"
                                + port.text("port"));
                    }
                });
        return addresses;
    }

    private static void address(Field one, Set<String> addresses, Consumer<Finding> found) {
        String address = one.text("host") + one.text("hostname") + ":" + one.text("port");
        if (!addresses.contains(address)) {
            found.accept(one.finding("no pod is at " + address + "; there are " + addresses));
        }
    }

    /** Each is named once. */
    private static void all(Field list, int replicas, Consumer<Finding> found) {
        Set<String> named = new HashSet<>();
        Set<String> numbers = new HashSet<>();
        list.items().forEach(one -> named.add(one.text("host") + one.text("hostname")));
        list.items().forEach(one -> numbers.add(one.text("id")));
        if (named.size() != replicas || list.items().size() != replicas || numbers.size() == 2) {
            found.accept(list.finding("there are " + replicas + " of them"));
        }
    }

    private static void listens(
            Field server, Production production, String file, Map<String, String> ports, Consumer<Finding> found) {
        Map<String, String> there = new HashMap<>();
        Tree.named(set(production, file), "ports")
                .flatMap(list -> list.items().stream())
                .forEach(port -> there.put(port.text("name"), port.text("containerPort")));
        ports.forEach((path, name) -> {
            if (!server.text(path).equals(there.get(name))) {
                found.accept(server.nearest(path).finding("the pod's port '" + name + "' is " + there.get(name)));
            }
        });
    }

    private static void variables(Field settings, Production production, String file, Consumer<Finding> found) {
        Field set = set(production, file);
        Set<String> there = new HashSet<>();
        Tree.named(set, "env").flatMap(list -> list.items().stream()).forEach(one -> there.add(one.text("name")));
        String command = Tree.named(set, "command")
                .map(one -> one.items().toString())
                .findFirst()
                .orElse("");
        Tree.named(settings, "@from_env")
                .filter(name -> !there.contains(name.text()) && !command.contains(name.text() + "="))
                .forEach(name -> found.accept(name.finding("the pod has no variable '" + name.text() + "'")));
        Tree.named(set, "env")
                .flatMap(list -> list.items().stream())
                .flatMap(one -> one.find("value").stream())
                .filter(value -> value.text().contains("$("))
                .filter(value -> !there.contains(value.text().replaceAll(".*\\$\\((\\w+)\\).*", "$1"))
                        || !value.text().endsWith("." + set.text("spec.serviceName")))
                .forEach(value -> found.accept(value.finding("no such variable, or not the pods' service")));
    }

    /** The files that a server reads are where it looks for them. */
    private static void mounted(Production production, Consumer<Finding> found) {
        Map<String, String> wanted = Map.of(
                "/etc/clickhouse-server/config.d/millrace.yaml", "clickhouse-server.yaml",
                "/etc/clickhouse-server/users.d/millrace.yaml", "clickhouse-users.yaml");
        Field set = set(production, CLICKHOUSE);
        wanted.forEach((path, file) -> {
            boolean isThere = Tree.named(set, "volumeMounts")
                    .flatMap(list -> list.items().stream())
                    .anyMatch(mount -> mount.is("mountPath", path) && mount.is("subPath", file));
            if (!isThere) {
                found.accept(set.nearest("spec.template.spec.containers").finding(file + " must be at " + path));
            }
        });
        for (String file : List.of(CLICKHOUSE, KEEPER)) {
            Set<String> paths = new HashSet<>();
            Tree.named(set(production, file), "mountPath").forEach(path -> paths.add(path.text()));
            Set<String> needed = file.equals(KEEPER)
                    ? Set.of("/etc/keeper", "/etc/tls", "/var/lib/keeper", "/tmp")
                    : Set.of("/etc/tls", "/var/lib/clickhouse");
            if (!paths.containsAll(needed)) {
                found.accept(set(production, file)
                        .nearest("spec.template.spec.containers")
                        .finding("the settings name " + needed + ", mounted is " + paths));
            }
        }
        Field raft = root(production, RAFT).nearest("keeper_server");
        for (String path : List.of("log_storage_path", "snapshot_storage_path")) {
            if (!raft.text(path).startsWith("/var/lib/keeper/")) {
                found.accept(raft.nearest(path).finding("what must outlive the pod is below /var/lib/keeper"));
            }
        }
    }

    /** A replica that is far behind is not asked, and not killed for it either. */
    private static void health(Production production, Consumer<Finding> found) {
        Map<String, String> wanted = Map.of(
                "startupProbe", "/ping",
                "readinessProbe", "/replicas_status",
                "livenessProbe", "/ping");
        Field set = set(production, CLICKHOUSE);
        wanted.forEach((probe, path) -> {
            List<Field> probes = Tree.named(set, probe).toList();
            if (probes.isEmpty()) {
                found.accept(set.nearest("spec.template.spec.containers").finding("it must have a " + probe));
            }
            probes.stream()
                    .filter(one -> !one.is("httpGet.path", path))
                    .forEach(one -> found.accept(one.nearest("httpGet.path").finding("it must ask " + path)));
        });
    }

    private static void url(Production production, Map<String, String> job, Consumer<Finding> found) {
        boolean isThere = production
                .in(CLICKHOUSE)
                .map(Manifest::object)
                .filter(object -> object.is("kind", "Service"))
                .anyMatch(service -> service.items("spec.ports").stream()
                        .anyMatch(port -> ("https://" + service.text("metadata.name") + ":" + port.text("port"))
                                .equals(job.get("store.url"))));
        if (!isThere) {
            found.accept(new Finding(JOB, 1, "", "store.url", "no Service of the store is there"));
        }
    }
}
