package dev.millrace.deploy.kubernetes.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.local.Installation;
import dev.millrace.deploy.local.Sha256;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ImageSetTest {
    @TempDir
    Path folder;

    private final StringWriter said = new StringWriter();
    private TinyClone clone;

    @BeforeEach
    void buildClone() throws IOException {
        clone = new TinyClone(folder);
    }

    private ImageSet build(String broker) throws IOException {
        return build(broker, folder.resolve("images"));
    }

    private ImageSet build(String broker, Path out) throws IOException {
        return ImageSet.build(
                clone.installation(), broker, clone.base(), new Destination.Folder(out), new PrintWriter(said, true));
    }

    private static Archive archive(BuiltImage image) throws IOException {
        return new Archive(image.file().orElseThrow());
    }

    @Test
    @DisplayName("the stack's image is laid out as a clone, with one broker")
    void stackLayout() throws IOException {
        assertThat(archive(build("one").millrace()).files())
                .containsOnlyKeys(
                        "/opt/millrace/java.args",
                        "/opt/millrace/deploy/target/millrace-deploy-1.2.jar",
                        "/opt/millrace/deploy/target/classpath",
                        "/opt/millrace/connectors/job/target/millrace-job.jar",
                        "/opt/millrace/connectors/job/target/flink-classpath",
                        "/opt/millrace/lib/millrace-core-1.2.jar",
                        "/opt/millrace/lib/shared.jar",
                        "/opt/millrace/lib/same-name.jar",
                        path("same-name", "flink/same-name.jar"),
                        "/opt/millrace/brokers/one/pom.xml",
                        "/opt/millrace/brokers/one/target/plugin/own.jar",
                        "/opt/millrace/brokers/one/target/plugin/client.jar");
    }

    private String path(String name, String jar) {
        String hash = Sha256.of(folder.resolve("repository").resolve(jar));
        return "/opt/millrace/lib/" + name + "-" + hash.substring(0, 8) + ".jar";
    }

    @Test
    @DisplayName(
            "a jar on both class paths is there once; one with the same name and other content has a name of its own")
    void classPaths() throws IOException {
        var files = archive(build("one").millrace()).files();
        String lib = "/opt/millrace/lib/";
        String dependencies = lib + "millrace-core-1.2.jar:" + lib + "shared.jar:" + lib + "same-name.jar";
        assertThat(files.get("/opt/millrace/deploy/target/classpath").text()).isEqualTo(dependencies);
        assertThat(files.get("/opt/millrace/connectors/job/target/flink-classpath")
                        .text())
                .isEqualTo(lib + "shared.jar:" + path("same-name", "flink/same-name.jar"));
        assertThat(files.get("/opt/millrace/java.args").text().lines())
                .contains("-Dmillrace.root=/opt/millrace", "-XX:MaxRAMPercentage=66")
                .endsWith(
                        "-cp",
                        "/opt/millrace/deploy/target/millrace-deploy-1.2.jar:" + dependencies,
                        "dev.millrace.deploy.command.Millrace");
    }

    @Test
    @DisplayName("an installation unpacked from the image finds its jars, its job and its broker")
    void installation() throws IOException {
        Path unpacked = folder.resolve("unpacked");
        for (var file : archive(build("two").millrace()).files().entrySet()) {
            Path target = unpacked.resolve(Path.of("/opt/millrace").relativize(Path.of(file.getKey())));
            Files.createDirectories(target.getParent());
            Files.writeString(target, file.getValue().text());
        }
        Installation inside = new Installation(unpacked, Optional.empty());
        assertThat(inside.builtBrokers()).containsExactly("two");
        assertThat(inside.jobJar()).exists();
        assertThat(inside.classPath().split(":")[0]).endsWith("millrace-deploy-1.2.jar");
    }

    @Test
    @DisplayName("layers lie by how often they change: libraries, the plugin's libraries, our own")
    void layers() throws IOException {
        var layers = archive(build("one").millrace()).layers;
        assertThat(layers).hasSize(3);
        assertThat(layers.get(0).keySet()).anyMatch(path -> path.endsWith("/shared.jar"));
        assertThat(layers.get(1)).containsOnlyKeys("/opt/millrace/brokers/one/target/plugin/client.jar");
        assertThat(layers.get(2))
                .containsKeys(
                        "/opt/millrace/lib/millrace-core-1.2.jar", "/opt/millrace/brokers/one/target/plugin/own.jar");
    }

    @Test
    @DisplayName("jars of a server lie in lib, a distribution lies as it is")
    void serverLayout() throws IOException {
        assertThat(archive(build("one").server().orElseThrow()).files()).containsOnlyKeys("/opt/one/lib/server.jar");
        var two = archive(build("two").server().orElseThrow()).files();
        assertThat(two).containsOnlyKeys("/opt/two/lib/server.jar", "/opt/two/conf/server.conf", "/opt/two/bin/start");
        assertThat(two.get("/opt/two/bin/start").mode()).isEqualTo(0755);
        assertThat(two.get("/opt/two/conf/server.conf").mode()).isEqualTo(0644);
    }

    @Test
    @DisplayName("every image runs java as a user that is not root, and says what it is")
    void configuration() throws IOException {
        for (BuiltImage image : build("one").all()) {
            Archive archive = archive(image);
            JsonNode config = archive.config.get("config");
            assertThat(config.get("User").asText()).isEqualTo("10001:10001");
            assertThat(config.get("Entrypoint")).hasToString("[\"java\"]");
            assertThat(config.get("Env")).hasToString("[\"JAVA_HOME=/java\"]");
            assertThat(config.get("Labels")
                            .get("org.opencontainers.image.title")
                            .asText())
                    .contains("broker one");
            assertThat(config.get("Labels")
                            .get("org.opencontainers.image.version")
                            .asText())
                    .isEqualTo("1.2");
            assertThat(config.get("Labels")
                            .get("org.opencontainers.image.licenses")
                            .asText())
                    .isEqualTo("Apache-2.0");
            assertThat(archive.config.get("created").asText()).isEqualTo("1970-01-01T00:00:01Z");
            assertThat(archive.files().values())
                    .allMatch(entry -> entry.modifiedMillis() == 1000 && entry.userId() == 0);
            assertThat(archive.manifest.get("RepoTags").get(0).asText()).isEqualTo(image.reference());
        }
    }

    @Test
    @DisplayName("the same inputs, copied at another time, give the same tag and digest")
    void reproducible() throws IOException {
        ImageSet first = build("two");
        try (Stream<Path> files = Files.walk(clone.root)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.setLastModifiedTime(file, FileTime.fromMillis(1_700_000_000_000L));
            }
        }
        ImageSet second = build("two", folder.resolve("again"));
        assertThat(second.all()).extracting(BuiltImage::unchanged).containsExactly(false, false);
        assertThat(second.all())
                .extracting(image -> image.reference() + image.digest())
                .isEqualTo(first.all().stream()
                        .map(image -> image.reference() + image.digest())
                        .toList());
        assertThat(first.millrace().reference()).matches("localhost/millrace:1\\.2-[0-9a-f]{12}");
        assertThat(first.server().orElseThrow().reference()).matches("localhost/millrace-two:1\\.2-[0-9a-f]{12}");
        assertThat(first.millrace().digest()).matches("sha256:[0-9a-f]{64}");
    }

    @Test
    @DisplayName("what is there is not made again; what changed gets another tag")
    void unchanged() throws IOException {
        ImageSet first = build("one");
        FileTime written = Files.getLastModifiedTime(first.millrace().file().orElseThrow());
        said.getBuffer().setLength(0);
        ImageSet second = build("one");
        assertThat(said.toString()).isEmpty();
        assertThat(second.all()).extracting(BuiltImage::unchanged).containsExactly(true, true);
        assertThat(second.millrace().digest()).isEqualTo(first.millrace().digest());
        assertThat(Files.getLastModifiedTime(second.millrace().file().orElseThrow()))
                .isEqualTo(written);

        clone.write("connectors/job/target/millrace-job.jar", "another job");
        ImageSet third = build("one");
        assertThat(third.all()).extracting(BuiltImage::unchanged).containsExactly(false, true);
        assertThat(third.millrace().reference()).isNotEqualTo(first.millrace().reference());
        assertThat(said.toString())
                .isEqualTo("writing " + third.millrace().file().orElseThrow() + System.lineSeparator());
    }

    @Test
    @DisplayName("for a plan images have the names that they would have, and nothing is written")
    void plan() throws IOException {
        Destination folderOfImages = new Destination.Folder(folder.resolve("images"));
        ImageSet planned = ImageSet.build(
                clone.installation(),
                "one",
                clone.base(),
                new Destination.Plan(folderOfImages),
                new PrintWriter(said, true));
        assertThat(folder.resolve("images")).doesNotExist();
        assertThat(planned.all().stream().map(BuiltImage::reference).toList())
                .isEqualTo(
                        build("one").all().stream().map(BuiltImage::reference).toList());
    }

    @Test
    @DisplayName("nothing half-written stays in the folder")
    void noDrafts() throws IOException {
        build("one");
        try (Stream<Path> files = Files.list(folder.resolve("images"))) {
            assertThat(files).hasSize(4).allMatch(file -> file.toString().matches(".*\\.tar(\\.digest)?"));
        }
    }

    @Test
    @DisplayName("a broker that is not there, or not built, is a sentence with what would be right")
    void unknownBroker() {
        assertThatThrownBy(() -> build("tow"))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("there is no broker 'tow'; did you mean 'two'?");
        assertThatThrownBy(() -> build("three"))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("the plugin of broker 'three' is not built");
    }

    @Test
    @DisplayName("a server that was not fetched is a sentence; a broker without one has one image")
    void serverMissing() throws IOException {
        Files.delete(clone.root.resolve("brokers/one/target/server/complete"));
        assertThat(build("one").server()).isEmpty();
        clone.write("brokers/one/server/pom.xml", "<project/>");
        assertThatThrownBy(() -> build("one"))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("the server of broker 'one' is not there")
                .hasMessageContaining("mvn -q -P one package");
    }

    @Test
    @DisplayName("a dependency that is a folder of classes is a sentence: images are made of jars")
    void notPackaged() throws IOException {
        Path classes = Files.createDirectories(clone.root.resolve("core/target/classes"));
        clone.write("deploy/target/classpath", classes.toString());
        assertThatThrownBy(() -> build("one"))
                .isInstanceOf(UserException.class)
                .hasMessageContaining(classes + " is a folder of classes")
                .hasMessageContaining("-am package");
    }

    @Test
    @DisplayName("a base that is no docker-archive is a sentence")
    void noArchive() throws IOException {
        clone.write("no.tar", "text");
        assertThatThrownBy(() -> ImageSet.build(
                        clone.installation(),
                        "one",
                        BaseImage.of("tar:" + clone.root.resolve("no.tar")),
                        new Destination.Folder(folder.resolve("images")),
                        new PrintWriter(said)))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("the base is no docker-archive");
    }
}
