package dev.millrace.brokers.pulsar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.brokers.pulsar.lint.BookieKind;
import dev.millrace.brokers.pulsar.lint.BrokerKind;
import dev.millrace.brokers.pulsar.lint.StandaloneKind;
import dev.millrace.connectors.api.lint.KnownSetting;
import dev.millrace.connectors.api.lint.KnownSettings;
import dev.millrace.connectors.api.lint.Linter;
import dev.millrace.connectors.api.lint.PropertiesText;
import dev.millrace.connectors.api.lint.ServerClasses;
import dev.millrace.connectors.api.lint.SettingLine;
import dev.millrace.connectors.testkit.broker.PodFiles;
import dev.millrace.core.settings.Options;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The server on Kubernetes is the local one, at other addresses. Needs the server's jars, not a running server. */
@Tag("server")
class KubernetesFilesTest {
    private static final PodFiles FILES = PodFiles.of("pulsar");
    private static final long MEMORY_BYTES = 1L << 30;
    private static final KnownSettings STANDALONE = new StandaloneKind().known();
    /** What the servers' classes say, without the shipped file. */
    private static final KnownSettings BROKER = new BrokerKind().known();

    private static final KnownSettings BOOKIE = new BookieKind().known();

    /** A pod has an address of its own, on all of whose interfaces the server listens; a file of a web server's is not there. */
    private static final Set<String> LOCAL_ONLY = Set.of("bindAddress", "httpServerHost", "statusFilePath");
    /** Shipped with the local server, used by nobody. */
    private static final String UNUSED = "webSocket";

    /** Who comes in shows a certificate; the server is a client of its own, too. */
    private static final Map<String, String> SECURED = Map.ofEntries(
            Map.entry("brokerServicePort", ""),
            Map.entry("brokerServicePortTls", "6651"),
            Map.entry("webServicePort", ""),
            Map.entry("webServicePortTls", "8443"),
            Map.entry("tlsCertificateFilePath", "/etc/pulsar/tls/tls.crt"),
            Map.entry("tlsKeyFilePath", "/etc/pulsar/tls/tls.key"),
            Map.entry("tlsTrustCertsFilePath", "/etc/pulsar/tls/ca.crt"),
            Map.entry("tlsRequireTrustedClientCertOnConnect", "true"),
            Map.entry("tlsHostnameVerificationEnabled", "true"),
            Map.entry("authenticationEnabled", "true"),
            Map.entry("authenticationProviders", "org.apache.pulsar.broker.authentication.AuthenticationProviderTls"),
            Map.entry("authorizationEnabled", "true"),
            Map.entry("superUserRoles", "pulsar,jobmanager,taskmanager,generator"),
            Map.entry("brokerClientTlsEnabled", "true"),
            Map.entry("brokerClientTrustCertsFilePath", "/etc/pulsar/tls/ca.crt"),
            Map.entry("brokerClientAuthenticationPlugin", "org.apache.pulsar.client.impl.auth.AuthenticationTls"),
            Map.entry(
                    "brokerClientAuthenticationParameters",
                    "tlsCertFile:/etc/pulsar/tls/tls.crt,tlsKeyFile:/etc/pulsar/tls/tls.key"));

    @TempDir
    static Path directory;

    /** What the server's settings must be; more than has to be said. */
    private static Map<String, String> wanted;

    @BeforeAll
    static void local() {
        PulsarOptions options = PulsarOptions.bindLocal(Options.of(Map.of("memory", "1GiB")));
        LocalPulsarFiles.write(
                directory,
                LocalPulsarFiles.distribution(),
                new LocalPulsarFiles.PortsOfServer(6650, 8080, 3181, 8000),
                options);
        wanted = new TreeMap<>(new PodFiles(directory).settings(LocalPulsarFiles.SETTINGS));
        wanted.put("clusterName", "millrace");
        wanted.put(
                "advertisedAddress",
                FILES.settings("broker.properties").get("address").split(":")[0]);
        wanted.put("listeningInterface", "lo");
        wanted.putAll(SECURED);
        // Nobody may ask it from another pod, and it has no keys.
        wanted.keySet().removeIf(key -> key.startsWith("httpServer"));
        wanted.keySet().removeAll(LOCAL_ONLY);
        wanted.keySet().removeIf(key -> key.startsWith(UNUSED));
    }

    private static List<String> problems(List<SettingLine> settings) {
        List<String> problems = new ArrayList<>();
        new Linter(STANDALONE)
                .check(settings).stream()
                        .filter(finding -> finding.verdict().fails())
                        .forEach(finding -> problems.add(finding.toString()));
        Map<String, String> there = PodFiles.settings(settings);
        there.forEach((key, value) -> {
            if (!value.equals(wanted.get(key))) {
                problems.add(key + " is " + value + " and should be " + wanted.get(key));
            }
        });
        wanted.forEach((key, value) -> {
            if (!there.containsKey(key) && !isDefault(key, value)) {
                problems.add(key + " is missing and should be " + value);
            }
        });
        return problems;
    }

    /** Whether the server does so without being told. */
    private static boolean isDefault(String key, String value) {
        KnownSetting setting = BROKER.find(key).or(() -> BOOKIE.find(key)).orElse(KnownSetting.named());
        return value.isEmpty() || setting.values().isDefault(value);
    }

    @Test
    @DisplayName(
            "every setting of the server exists, and but for addresses, folders and who may come in it is the local server's")
    void settings() {
        assertThat(problems(PropertiesText.parse(FILES.text(LocalPulsarFiles.SETTINGS))))
                .isEmpty();
    }

    @Test
    @DisplayName("whatever setting of the server or its value loses a letter, it is found")
    void planted() {
        Map<String, List<SettingLine>> all =
                PodFiles.misspelt(PropertiesText.parse(FILES.text(LocalPulsarFiles.SETTINGS)));
        assertThat(all).hasSizeGreaterThan(140);
        all.forEach((typo, settings) -> assertThat(problems(settings)).as(typo).isNotEmpty());
    }

    @Test
    @DisplayName("clients are told by options that there are")
    void options() {
        Map<String, String> given = FILES.settings("broker.properties");
        PulsarOptions options = PulsarOptions.bind(Options.of(given));
        assertThat(List.of(options.address(), options.admin())).containsExactly("pulsar:6651", "https://pulsar:8443");
        given.keySet().forEach(key -> {
            Map<String, String> other = new TreeMap<>(given);
            other.put(PodFiles.shorter(key), other.remove(key));
            assertThatThrownBy(() -> PulsarOptions.bind(Options.of(other))).hasMessageContaining(PodFiles.shorter(key));
        });
    }

    /** Where a crash, its collector or a library leaves a file is of no use in a pod: it goes with the pod. */
    @Test
    @DisplayName("the server is started as the local one is that has 1 GiB")
    void command() {
        Path distribution = LocalPulsarFiles.distribution();
        List<String> local = LocalPulsarFiles.command(directory, distribution, 3181, MEMORY_BYTES);
        assertThat(FILES.arguments("pulsar.yaml"))
                .containsExactly(local.stream()
                        .skip(1)
                        .filter(argument -> !argument.startsWith("-XX:ErrorFile=")
                                && !argument.startsWith("-Xlog:")
                                && !argument.startsWith("-Djava.io.tmpdir="))
                        .map(argument -> argument.replace(distribution.toString(), "/opt/pulsar")
                                .replace(directory.resolve("data").toString(), "/var/lib/pulsar")
                                .replace(directory.toString(), "/etc/pulsar"))
                        .toList());
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
        return ServerClasses.read(LocalPulsarFiles.distribution().resolve("lib"), loader -> {
            try {
                return Class.forName(name, false, loader) != null;
            } catch (ClassNotFoundException e) {
                return false;
            }
        });
    }
}
