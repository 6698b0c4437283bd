package dev.millrace.deploy.kubernetes.image;

import com.google.cloud.tools.jib.api.Containerizer;
import com.google.cloud.tools.jib.api.Jib;
import com.google.cloud.tools.jib.api.TarImage;
import com.google.cloud.tools.jib.api.buildplan.AbsoluteUnixPath;
import com.google.cloud.tools.jib.api.buildplan.FileEntriesLayer;
import com.google.cloud.tools.jib.api.buildplan.FilePermissions;
import com.google.cloud.tools.jib.api.buildplan.Platform;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.local.Sha256;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;

/**
 * A base image without a registry: the Java that runs this command, cut down by {@code jlink}, and the libraries of this machine that it
 * needs. For tests and for trying; it has no shell and gets no security updates but the machine's.
 */
public final class JreBase {
    /** The same as in the base that is taken by default. */
    static final String JAVA = "/opt/java/openjdk";

    private static final String MODULES =
            "java.se,jdk.crypto.cryptoki,jdk.crypto.ec,jdk.httpserver,jdk.jfr,jdk.management,"
                    + "jdk.management.agent,jdk.naming.dns,jdk.net,jdk.security.auth,jdk.unsupported,jdk.zipfs";

    private static final String PASSWD =
            "root:x:0:0:root:/root:/sbin/nologin\nmillrace:x:10001:10001:millrace:/tmp:/sbin/nologin\n";
    private static final String GROUP = "root:x:0:\nmillrace:x:10001:\n";
    private static final String NSSWITCH = "passwd: files\ngroup: files\nhosts: files dns\n";

    /** Without it, names of files with letters beyond ASCII are lost. */
    private static final Path LOCALE = Path.of("/usr/lib/locale/C.utf8");

    private final Work work;
    private final Path home = Path.of(System.getProperty("java.home"));

    private JreBase(Work work) {
        this.work = work;
    }

    /** The base of this machine as a docker-archive in {@code folder}; made only when its Java or its C library is another one. */
    public static Path tar(Path folder, PrintWriter progress) {
        Work work = Work.in(folder);
        Path tar = tar(work, progress);
        work.hashes().save();
        return tar;
    }

    static Path tar(Work work, PrintWriter progress) {
        return new JreBase(work).tar(progress);
    }

    private Path tar(PrintWriter progress) {
        String key = key();
        Path tar = work.bases().resolve("java-" + key + ".tar");
        if (Files.exists(tar)) {
            return tar;
        }
        progress.println("making a base image of this machine's Java, about 20 s");
        progress.flush();
        Path folder = null;
        try {
            Files.createDirectories(work.bases());
            folder = Files.createTempDirectory(work.bases(), "java");
            Path java = jlink(folder.resolve("java"));
            Path draft = folder.resolve("java.tar");
            write(java, draft, "localhost/millrace-java:" + key);
            Files.move(draft, tar);
            return tar;
        } catch (FileAlreadyExistsException e) {
            // Somebody else made it meanwhile, and may have built images on it.
            return tar;
        } catch (IOException e) {
            throw new EnvironmentException("cannot write a base image to " + tar + ": " + e.getMessage(), e);
        } finally {
            remove(folder);
        }
    }

    /** Another one when Java, C library, or what is put in, changes. */
    private String key() {
        Sha256 hash = new Sha256()
                .add("2")
                .add(System.getProperty("java.vm.version"))
                .add(MODULES)
                .add(PASSWD + GROUP + NSSWITCH)
                .add(Boolean.toString(Files.isDirectory(LOCALE)));
        SharedLibraries.of(home).forEach(library -> hash.add(library.toString())
                .add(work.hashes().of(library)));
        return hash.hex().substring(0, 12);
    }

    private Path jlink(Path target) throws IOException {
        ToolProvider jlink = ToolProvider.findFirst("jlink").orElseThrow(() -> noJlink("it has no jlink"));
        if (!Files.isDirectory(home.resolve("jmods"))) {
            throw noJlink("it has no folder jmods");
        }
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8);
        int code = jlink.run(
                out,
                out,
                "--module-path",
                home.resolve("jmods").toString(),
                "--add-modules",
                MODULES,
                "--no-header-files",
                "--no-man-pages",
                "--output",
                target.toString());
        if (code != 0) {
            throw noJlink(
                    "its jlink says: " + said.toString(StandardCharsets.UTF_8).strip());
        }
        // A distribution may keep the certificates elsewhere and leave the module's file empty.
        Path certificates = home.resolve("lib/security/cacerts");
        if (Files.isRegularFile(certificates)) {
            Files.copy(certificates, target.resolve("lib/security/cacerts"), StandardCopyOption.REPLACE_EXISTING);
        }
        return target;
    }

    private UserException noJlink(String why) {
        return new UserException("the Java in " + home + " cannot be made a base image: " + why
                + "; run millrace with a whole JDK 17, or name a base: --base NAME:TAG or --base tar:FILE");
    }

    private void write(Path java, Path tar, String name) throws IOException {
        List<ImageFile> system = new ArrayList<>();
        SharedLibraries.of(java)
                .forEach(
                        library -> system.add(new ImageFile(library.toString(), library, Files.isExecutable(library))));
        if (Files.isDirectory(LOCALE)) {
            system.addAll(files(LOCALE, LOCALE.toString()));
        }
        system.add(new ImageFile("/etc/passwd", work.text(PASSWD)));
        system.add(new ImageFile("/etc/group", work.text(GROUP)));
        system.add(new ImageFile("/etc/nsswitch.conf", work.text(NSSWITCH)));
        ImageBuild.run(
                Jib.fromScratch()
                        .setPlatforms(Set.of(new Platform(ImageBuild.architecture(), "linux")))
                        .addFileEntriesLayer(ImageBuild.layer(new ImageLayer("system", system)))
                        .addFileEntriesLayer(temporaryFolder())
                        .addFileEntriesLayer(ImageBuild.layer(new ImageLayer("java", files(java, JAVA))))
                        .setEnvironment(Map.of(
                                "JAVA_HOME",
                                JAVA,
                                "PATH",
                                JAVA + "/bin:/usr/local/bin:/usr/bin:/bin",
                                "LANG",
                                "C.UTF-8"))
                        .setUser(ImageBuild.USER)
                        .setCreationTime(ImageBuild.TIME),
                Containerizer.to(TarImage.at(tar).named(Registries.reference(name))),
                work,
                name);
    }

    private FileEntriesLayer temporaryFolder() throws IOException {
        Path empty = Files.createDirectories(work.folder().resolve("texts").resolve("empty"));
        return FileEntriesLayer.builder()
                .setName("temporary files")
                .addEntry(empty, AbsoluteUnixPath.get("/tmp"), FilePermissions.fromOctalString("777"), ImageBuild.TIME)
                .build();
    }

    private static List<ImageFile> files(Path folder, String inside) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> new ImageFile(inside + "/" + folder.relativize(file), file, Files.isExecutable(file)))
                    .toList();
        }
    }

    private static void remove(Path path) {
        if (path == null || !Files.exists(path)) {
            return;
        }
        try (Stream<Path> all = Files.walk(path)) {
            for (Path one : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(one);
            }
        } catch (IOException e) {
            throw new EnvironmentException("cannot remove " + path + ": " + e.getMessage(), e);
        }
    }
}
