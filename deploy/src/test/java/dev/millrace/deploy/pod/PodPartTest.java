package dev.millrace.deploy.pod;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.connectors.testkit.tls.SelfSigned;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.local.Installation;
import dev.millrace.deploy.local.StackState;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PodPartTest {
    private static final String BROKER = "memory";

    @TempDir
    Path directory;

    private Path settings;

    @BeforeEach
    void settings() throws IOException {
        settings = Files.createDirectory(directory.resolve("settings"));
        Files.writeString(settings.resolve("stack.properties"), "broker=memory\nparallelism=3\n");
        Files.writeString(settings.resolve("broker.properties"), "address=broker:7000\n");
        Files.writeString(settings.resolve("store.id"), "secret-id\n");
        Path tls = SelfSigned.in(settings.resolve("tls"), "dns:localhost");
        Files.copy(tls.resolve("tls.crt"), tls.resolve("generator.crt"));
        Files.copy(tls.resolve("tls.crt"), tls.resolve("flink.crt"));
        Files.copy(tls.resolve("tls.key"), tls.resolve("flink.key"));
        Path job = directory.resolve("clone/connectors/job/target");
        Files.createDirectories(job);
        Files.writeString(job.resolve("millrace-job.jar"), "jar");
        Files.writeString(job.resolve("flink-classpath"), "flink.jar");
        Path plugin = directory.resolve("clone/brokers").resolve(BROKER).resolve("target/plugin");
        Files.createDirectories(plugin);
        Files.writeString(plugin.resolve("memory.jar"), "jar");
        Files.writeString(directory.resolve("clone/brokers").resolve(BROKER).resolve("pom.xml"), "");
    }

    private PodPart part() {
        return part(Optional.empty());
    }

    private PodPart part(Optional<String> jobUrl) {
        return new PodPart(
                new Installation(directory.resolve("clone"), Optional.empty()),
                new PodPart.Places(
                        settings,
                        directory.resolve("run"),
                        directory.resolve("data"),
                        directory.resolve("keys"),
                        "10.1.2.3"),
                jobUrl,
                new PrintWriter(new StringWriter()));
    }

    private String read(String file) throws IOException {
        return Files.readString(directory.resolve("run").resolve(file));
    }

    @Test
    @DisplayName(
            "a TaskManager listens on its pod's address and finds the JobManager by its service; checkpoints outlive the pod")
    void taskManager() throws IOException {
        part().prepare("taskmanager");
        assertThat(read("memory/flink/taskmanager/config.yaml"))
                .contains("jobmanager.rpc.address: 'jobmanager'")
                .contains("taskmanager.bind-host: '10.1.2.3'")
                .contains("taskmanager.numberOfTaskSlots: '3'")
                .contains("taskmanager.network.memory.floating-buffers-per-gate: '167'")
                .contains("metrics.reporter.prom.host: '10.1.2.3'")
                .contains("metrics.reporter.prom.certificate: '" + settings.resolve("tls/tls.crt"))
                .contains("metrics.reporter.prom.key: '" + settings.resolve("tls/tls.key"))
                .contains("metrics.reporter.prom.asker: '" + settings.resolve("tls/generator.crt"))
                .contains("security.ssl.internal.enabled: 'true'")
                .doesNotContain("security.ssl.rest");
        assertThat(read("java.args"))
                .contains("\"org.apache.flink.runtime.taskexecutor.TaskManagerRunner\"\n\"--configDir\"\n")
                .doesNotContain("bin/java")
                .doesNotContain("secret-id");
        assertThat(read("memory/supervisor/taskmanager-log4j2.properties")).contains("type = Console");
        assertThat(directory.resolve("run/memory/checkpoints").toRealPath())
                .isEqualTo(directory.resolve("data/checkpoints").toRealPath());
        // A container that starts again in its pod finds all of it there.
        part().prepare("taskmanager");
    }

    @Test
    @DisplayName(
            "what Flink reads of the keys is its owner's alone, with another password at each start, and in no argument")
    void flinkKeys() throws IOException {
        part().prepare("taskmanager");
        String before = password();
        assertThat(Files.getPosixFilePermissions(directory.resolve("keys/internal.p12")))
                .isEqualTo(PosixFilePermissions.fromString("rw-------"));
        assertThat(Files.getPosixFilePermissions(directory.resolve("run/memory/flink/taskmanager/config.yaml")))
                .isEqualTo(PosixFilePermissions.fromString("rw-------"));
        assertThat(read("java.args")).doesNotContain(before);
        part().prepare("taskmanager");
        assertThat(password()).isNotEqualTo(before).hasSizeGreaterThan(30);
    }

    private String password() throws IOException {
        return read("memory/flink/taskmanager/config.yaml")
                .lines()
                .filter(line -> line.startsWith("security.ssl.internal.keystore-password: "))
                .findFirst()
                .orElseThrow()
                .replaceAll(".*'(.*)'", "$1");
    }

    @Test
    @DisplayName(
            "the store listens on its pod's address under its service's name, and what clients must know is in its file only")
    void store() throws IOException {
        part().prepare("store");
        assertThat(Files.readString(directory.resolve("data/store/store.properties")))
                .contains("host=10.1.2.3", "name=store", "port=8123", "id=secret-id")
                .contains("key=" + settings.resolve("tls/tls.key"))
                .doesNotContain("BEGIN");
        assertThat(read("java.args")).contains("Owner").doesNotContain("secret-id");
    }

    @Test
    @DisplayName(
            "verbs in the generator's pod ask the stack's own JobManager and store; where an operator runs Flink, that one's, and a"
                    + " store that is somebody's own with what is told of it")
    void endpoints() throws IOException {
        StackState own = part().endpoints();
        assertThat(own.part("jobmanager").url()).isEqualTo("https://jobmanager:8081");
        assertThat(own.part("taskmanager").metricsUrl()).isEqualTo("https://taskmanager:9249/metrics");
        assertThat(own.storeOptions().asMap()).containsEntry("url", "https://store:8123");
        Files.writeString(
                settings.resolve("stack.properties"),
                "broker=memory\nstore=clickhouse\nstore-url=https://clickhouse:8443\nstore-database=readings\n"
                        + "store.user=job\nstore.password-file=/etc/store/password\n");
        StackState operated = part(Optional.of("http://job-rest:8081")).endpoints();
        assertThat(operated.part("jobmanager").state()).isEqualTo(StackState.FOREIGN);
        assertThat(operated.part("jobmanager").url()).isEqualTo("http://job-rest:8081");
        assertThat(operated.part("taskmanager").metricsUrl()).isEmpty();
        assertThat(operated.isForeignStore()).isTrue();
        assertThat(operated.storeOptions().asMap())
                .containsEntry("url", "https://clickhouse:8443")
                .containsEntry("database", "readings")
                .containsEntry("user", "job")
                .containsEntry("password-file", "/etc/store/password");
    }

    @Test
    @DisplayName("an unknown part, and settings that are not mounted, are one sentence each")
    void wrong() throws IOException {
        assertThatThrownBy(() -> part().prepare("worker"))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("no part 'worker'")
                .hasMessageContaining("taskmanager");
        Files.delete(settings.resolve("stack.properties"));
        assertThatThrownBy(this::part)
                .isInstanceOf(EnvironmentException.class)
                .hasMessageContaining("stack.properties");
    }
}
