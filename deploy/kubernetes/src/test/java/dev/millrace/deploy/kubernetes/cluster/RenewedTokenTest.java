package dev.millrace.deploy.kubernetes.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RenewedTokenTest {
    @TempDir
    private Path folder;

    private final List<String> shown = new CopyOnWriteArrayList<>();
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        byte[] version =
                "{\"major\": \"1\", \"minor\": \"34\", \"gitVersion\": \"v1.34.0\"}".getBytes(StandardCharsets.UTF_8);
        server.createContext("/", exchange -> {
            shown.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, version.length);
            exchange.getResponseBody().write(version);
            exchange.close();
        });
        server.start();
        Path program = folder.resolve("token.sh");
        Files.writeString(
                program,
                """
                #!/bin/sh
                echo x >> %s/asked
                n=$(wc -l < %s/asked)
                echo '{"apiVersion": "client.authentication.k8s.io/v1beta1", "kind": "ExecCredential", "status": {"token": "t'$n'"}}'
                """
                        .formatted(folder, folder));
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    /** As EKS's: a program makes the token. Each time another one here. */
    private String kubeconfig() {
        return """
                apiVersion: v1
                kind: Config
                current-context: c
                contexts: [{name: c, context: {cluster: c, user: u}}]
                clusters: [{name: c, cluster: {server: "http://127.0.0.1:%d"}}]
                users:
                  - name: u
                    user:
                      exec: {apiVersion: client.authentication.k8s.io/v1beta1, command: %s}
                """
                .formatted(server.getAddress().getPort(), folder.resolve("token.sh"));
    }

    private void ask(Duration age, int times) {
        Config config = Cluster.config(this::kubeconfig, age);
        try (KubernetesClient client =
                new KubernetesClientBuilder().withConfig(config).build()) {
            for (int i = 0; i < times; i++) {
                client.getKubernetesVersion();
            }
        }
    }

    @Test
    @DisplayName("what a program of the kubeconfig makes is asked for again when it is old, and not before")
    void renewed() {
        ask(Duration.ofHours(1), 3);
        assertThat(shown).containsExactly("Bearer t1", "Bearer t1", "Bearer t1");
        shown.clear();
        ask(Duration.ZERO, 2);
        assertThat(shown).hasSize(2).doesNotContain("Bearer t1", "Bearer t2").doesNotHaveDuplicates();
    }

    @Test
    @DisplayName("while no new one can be had the old one is shown")
    void kept() {
        RenewedToken token = new RenewedToken(
                "first",
                () -> {
                    throw new IllegalStateException("no network");
                },
                Duration.ZERO);
        assertThat(token.getToken()).isEqualTo("first");
    }
}
