package dev.millrace.deploy.kubernetes.image;

import com.google.cloud.tools.jib.api.CacheDirectoryCreationException;
import com.google.cloud.tools.jib.api.Containerizer;
import com.google.cloud.tools.jib.api.ImageReference;
import com.google.cloud.tools.jib.api.InvalidImageReferenceException;
import com.google.cloud.tools.jib.api.Jib;
import com.google.cloud.tools.jib.api.JibContainer;
import com.google.cloud.tools.jib.api.JibContainerBuilder;
import com.google.cloud.tools.jib.api.RegistryException;
import com.google.cloud.tools.jib.api.RegistryImage;
import com.google.cloud.tools.jib.api.TarImage;
import com.google.cloud.tools.jib.api.buildplan.AbsoluteUnixPath;
import com.google.cloud.tools.jib.api.buildplan.FileEntriesLayer;
import com.google.cloud.tools.jib.api.buildplan.FilePermissions;
import com.google.cloud.tools.jib.api.buildplan.Platform;
import com.google.cloud.tools.jib.frontend.CredentialRetrieverFactory;
import dev.millrace.core.settings.EnvironmentException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;

/** Makes images on one base for one destination. Users, labels and times are the same for all. */
final class ImageBuild {
    /** User and group in every image; a number, so that a cluster can see that it is not root. */
    static final String USER = "10001:10001";

    /** All files and images have one time: the same content is the same image. */
    static final Instant TIME = Instant.ofEpochSecond(1);

    private final BaseImage base;
    private final String baseIdentity;
    private final Destination destination;
    private final Work work;
    private final Optional<String> revision;
    private final PrintWriter progress;

    private ImageBuild(
            BaseImage base, Destination destination, Work work, Optional<String> revision, PrintWriter progress) {
        this.base = base;
        this.destination = destination;
        this.work = work;
        this.revision = revision;
        this.progress = progress;
        this.baseIdentity = base instanceof BaseImage.Tar tar ? Sha256.of(tar.file()) : base.toString();
    }

    /** A base of this machine is made now, unless it is there. */
    static ImageBuild on(
            BaseImage base, Destination destination, Work work, Optional<String> revision, PrintWriter progress) {
        BaseImage one = base instanceof BaseImage.ThisMachine ? new BaseImage.Tar(JreBase.tar(work, progress)) : base;
        return new ImageBuild(one, destination, work, revision, progress);
    }

    BuiltImage image(ImageContent content) {
        String tag = content.tag(baseIdentity);
        String reference = destination.prefix() + "/" + content.name() + ":" + tag;
        if (destination instanceof Destination.Folder folder) {
            return tar(content, reference, folder.path().resolve(content.name() + "-" + tag + ".tar"));
        }
        say("pushing " + reference);
        try {
            RegistryImage image = RegistryImage.named(reference);
            image.addCredentialRetriever(CredentialRetrieverFactory.forImage(ImageReference.parse(reference), log -> {})
                    .dockerConfig());
            String digest = containerize(content, Containerizer.to(image));
            return new BuiltImage(reference, digest, Optional.empty(), false);
        } catch (InvalidImageReferenceException e) {
            throw new IllegalStateException(reference, e);
        }
    }

    private BuiltImage tar(ImageContent content, String reference, Path file) {
        Path digestFile = file.resolveSibling(file.getFileName() + ".digest");
        try {
            if (Files.exists(file) && Files.exists(digestFile)) {
                return new BuiltImage(reference, Files.readString(digestFile).trim(), Optional.of(file), true);
            }
            say("writing " + file);
            Files.createDirectories(file.getParent());
            Path draft = Files.createTempFile(file.getParent(), content.name(), ".new");
            try {
                String digest = containerize(
                        content, Containerizer.to(TarImage.at(draft).named(reference)));
                Files.writeString(digestFile, digest + "\n");
                Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
                return new BuiltImage(reference, digest, Optional.of(file), false);
            } finally {
                Files.deleteIfExists(draft);
            }
        } catch (IOException e) {
            throw new EnvironmentException("cannot write " + file + ": " + e.getMessage(), e);
        } catch (InvalidImageReferenceException e) {
            throw new IllegalStateException(reference, e);
        }
    }

    private String containerize(ImageContent content, Containerizer containerizer) {
        JibContainerBuilder builder = from().setPlatforms(platforms())
                .setFileEntriesLayers(
                        content.layers().stream().map(ImageBuild::layer).toList())
                .setEntrypoint("java")
                .setProgramArguments(content.arguments())
                .setUser(USER)
                .setLabels(labels(content))
                .setCreationTime(TIME);
        return run(builder, containerizer, work).getDigest().toString();
    }

    /** Makes an image; what goes wrong is a sentence. */
    static JibContainer run(JibContainerBuilder builder, Containerizer containerizer, Work work) {
        containerizer
                .setBaseImageLayersCache(work.layers())
                .setApplicationLayersCache(work.layers())
                .setToolName("millrace");
        try {
            return builder.containerize(containerizer);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EnvironmentException("interrupted while an image was made", e);
        } catch (IOException | RegistryException | CacheDirectoryCreationException | ExecutionException e) {
            throw new EnvironmentException(e.getMessage(), e);
        }
    }

    private JibContainerBuilder from() {
        if (base instanceof BaseImage.Tar tar) {
            return Jib.from(TarImage.at(tar.file()));
        }
        String reference = ((BaseImage.Registry) base).reference();
        try {
            RegistryImage image = RegistryImage.named(reference);
            image.addCredentialRetriever(CredentialRetrieverFactory.forImage(ImageReference.parse(reference), log -> {})
                    .dockerConfig());
            return Jib.from(image);
        } catch (InvalidImageReferenceException e) {
            throw new IllegalStateException(reference, e);
        }
    }

    /** Both when base and destination are registries; else this machine's, a docker-archive holds only one. */
    private Set<Platform> platforms() {
        boolean both = base instanceof BaseImage.Registry && destination instanceof Destination.Registry;
        return both
                ? Set.of(new Platform("amd64", "linux"), new Platform("arm64", "linux"))
                : Set.of(new Platform(architecture(), "linux"));
    }

    static String architecture() {
        String name = System.getProperty("os.arch");
        return Map.of("aarch64", "arm64", "x86_64", "amd64").getOrDefault(name, name);
    }

    private Map<String, String> labels(ImageContent content) {
        Map<String, String> labels = new TreeMap<>();
        labels.put("org.opencontainers.image.title", content.title());
        labels.put("org.opencontainers.image.version", content.version());
        labels.put("org.opencontainers.image.licenses", "Apache-2.0");
        revision.ifPresent(commit -> labels.put("org.opencontainers.image.revision", commit));
        return labels;
    }

    static FileEntriesLayer layer(ImageLayer layer) {
        FileEntriesLayer.Builder builder = FileEntriesLayer.builder().setName(layer.name());
        List<ImageFile> files = layer.files();
        files.forEach(file -> builder.addEntry(
                file.source(),
                AbsoluteUnixPath.get(file.path()),
                FilePermissions.fromOctalString(file.executable() ? "755" : "644"),
                TIME));
        return builder.build();
    }

    private void say(String line) {
        progress.println(line);
        progress.flush();
    }
}
