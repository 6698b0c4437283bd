package dev.millrace.brokers.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.brokers.kafka.lint.KafkaBrokerKind;
import dev.millrace.connectors.api.lint.KnownSettings;
import dev.millrace.connectors.api.lint.Linter;
import dev.millrace.connectors.api.lint.PropertiesText;
import dev.millrace.connectors.api.lint.ServerClasses;
import dev.millrace.connectors.api.lint.SettingLine;
import dev.millrace.connectors.testkit.broker.PodFiles;
import dev.millrace.core.settings.Options;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The server on Kubernetes is the local one, at other addresses. Needs the server's jars, not a running server. */
@Tag("server")
class KubernetesFilesTest {
    private static final PodFiles FILES = PodFiles.of("kafka");
    private static final KnownSettings KNOWN = new KafkaBrokerKind().known();
    private static final long MEMORY_BYTES = 1L << 30;

    @TempDir
    static Path directory;

    /** What the server's settings must be. */
    private static Map<String, String> wanted;

    @BeforeAll
    static void local() {
        KafkaOptions options = KafkaOptions.bindLocal(Options.of(Map.of("memory", "1GiB")));
        String version = KafkaServerFiles.version(KafkaServerFiles.jars());
        KafkaServerFiles.write(directory, 9092, 9093, options, version);
        wanted = new TreeMap<>(new PodFiles(directory).settings(KafkaServerFiles.SETTINGS));
        String address = FILES.settings("broker.properties").get("address");
        wanted.put("listeners", "BROKER://:9092,CONTROLLER://127.0.0.1:9093");
        wanted.put("advertised.listeners", "BROKER://" + address);
        wanted.put("inter.broker.listener.name", "BROKER");
        wanted.put("listener.security.protocol.map", "BROKER:SSL,CONTROLLER:PLAINTEXT");
        wanted.putAll(Map.of(
                "ssl.client.auth",
                "required",
                "ssl.keystore.type",
                "PEM",
                "ssl.keystore.location",
                "/etc/kafka/tls/tls-combined.pem",
                "ssl.truststore.type",
                "PEM",
                "ssl.truststore.location",
                "/etc/kafka/tls/ca.crt",
                "authorizer.class.name",
                "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
                // The controller's listener is on loopback and knows nobody.
                "super.users",
                "User:CN=kafka;User:CN=jobmanager;User:CN=taskmanager;User:CN=generator;User:ANONYMOUS"));
        wanted.put("log.dirs", "/var/lib/kafka/data");
    }

    private static List<String> problems(List<SettingLine> settings) {
        List<String> problems = new ArrayList<>();
        new Linter(KNOWN)
                .check(settings).stream()
                        .filter(finding -> finding.verdict().fails())
                        .filter(finding -> !finding.key().startsWith(KafkaServerFiles.VERSION_KEY_PREFIX))
                        .forEach(finding -> problems.add(finding.toString()));
        Map<String, String> there = PodFiles.settings(settings);
        TreeSet<String> keys = new TreeSet<>(wanted.keySet());
        keys.addAll(there.keySet());
        keys.removeIf(key -> there.getOrDefault(key, "").equals(wanted.get(key)));
        keys.forEach(key -> problems.add(key + " is " + there.get(key) + " and should be " + wanted.get(key)));
        return problems;
    }

    @Test
    @DisplayName(
            "every setting of the server exists, and but for addresses, folders and who may come in it is the local server's")
    void settings() {
        assertThat(problems(PropertiesText.parse(FILES.text(KafkaServerFiles.SETTINGS))))
                .isEmpty();
    }

    @Test
    @DisplayName("whatever setting of the server or its value loses a letter, it is found")
    void planted() {
        Map<String, List<SettingLine>> all =
                PodFiles.misspelt(PropertiesText.parse(FILES.text(KafkaServerFiles.SETTINGS)));
        assertThat(all).hasSizeGreaterThan(70);
        all.forEach((typo, settings) -> assertThat(problems(settings)).as(typo).isNotEmpty());
    }

    @Test
    @DisplayName("clients are told by options that there are")
    void options() {
        Map<String, String> given = FILES.settings("broker.properties");
        assertThat(KafkaOptions.bind(Options.of(given)).address()).isEqualTo("kafka:9092");
        given.keySet().forEach(key -> {
            Map<String, String> other = new TreeMap<>(given);
            other.put(PodFiles.shorter(key), other.remove(key));
            assertThatThrownBy(() -> KafkaOptions.bind(Options.of(other))).hasMessageContaining(key);
        });
    }

    /** Where a crash, its collector or a library leaves a file is of no use in a pod: it goes with the pod. */
    @Test
    @DisplayName("the server is started as the local one is that has 1 GiB")
    void command() {
        Path jars = KafkaServerFiles.jars();
        String settings = directory.resolve(KafkaServerFiles.SETTINGS).toString();
        List<String> local = KafkaServerFiles.command(directory, jars, MEMORY_BYTES, List.of("kafka.Kafka", settings));
        assertThat(FILES.arguments("kafka.yaml").get(1))
                .isEqualTo(local.stream()
                        .skip(1)
                        .filter(argument -> !argument.startsWith("-XX:ErrorFile=")
                                && !argument.startsWith("-Xlog:")
                                && !argument.startsWith("-Djava.io.tmpdir="))
                        .map(argument -> argument.replace("-Dkafka.logs.dir=" + directory, "-Dkafka.logs.dir=/tmp")
                                .replace(jars.toString(), "/opt/kafka/lib")
                                .replace(directory.toString(), "/etc/kafka"))
                        .toList());
    }

    @Test
    @DisplayName("the tool that formats the data takes its arguments, and refuses them with a letter less")
    void format() throws Exception {
        List<String> arguments = FILES.arguments("kafka.yaml").get(0);
        int main = arguments.indexOf("kafka.tools.StorageTool");
        assertThat(arguments.subList(0, main))
                .containsExactly(
                        "-Xmx128m",
                        "-Dlog4j2.configurationFile=/etc/kafka/log4j2.properties",
                        "-cp",
                        "/opt/kafka/lib/*");
        List<String> told = arguments.subList(main + 1, arguments.size());
        assertThat(parsed(told))
                .contains("command=format", "ignore_formatted=true")
                .contains("cluster_id=$(CLUSTER_ID)", "config=/etc/kafka/server.properties");
        for (int i = 0; i < told.size(); i++) {
            if (told.get(i).matches("--.*|format")) {
                List<String> other = new ArrayList<>(told);
                other.set(i, PodFiles.shorter(told.get(i)));
                assertThatThrownBy(() -> parsed(other)).isInstanceOf(InvocationTargetException.class);
            }
        }
    }

    /** By the tool's own parser. */
    private static String parsed(List<String> arguments) throws Exception {
        Object[] parsed = new Object[1];
        Exception[] failed = new Exception[1];
        ServerClasses.read(KafkaServerFiles.jars(), loader -> {
            try {
                parsed[0] = loader.loadClass("kafka.tools.StorageTool")
                        .getMethod("parseArguments", String[].class)
                        .invoke(null, (Object) arguments.toArray(String[]::new));
            } catch (InvocationTargetException e) {
                failed[0] = e;
            }
            return arguments;
        });
        if (failed[0] != null) {
            throw failed[0];
        }
        return parsed[0].toString();
    }

    @Test
    @DisplayName("what the server logs the steps of are classes of it")
    void loggers() {
        List<String> names = FILES.settings("log4j2.properties").entrySet().stream()
                .filter(setting -> setting.getKey().matches("logger\\..*\\.name"))
                .map(Map.Entry::getValue)
                .toList();
        assertThat(names).isNotEmpty().allMatch(KubernetesFilesTest::isClass);
        assertThat(names).noneMatch(name -> isClass(PodFiles.shorter(name)));
    }

    private static boolean isClass(String name) {
        return ServerClasses.read(KafkaServerFiles.jars(), loader -> {
            try {
                return Class.forName(name, false, loader) != null;
            } catch (ClassNotFoundException e) {
                return false;
            }
        });
    }
}
