package dev.millrace.deploy.kubernetes.image;

import com.google.cloud.tools.jib.api.CacheDirectoryCreationException;
import com.google.cloud.tools.jib.api.Containerizer;
import com.google.cloud.tools.jib.api.ImageReference;
import com.google.cloud.tools.jib.api.Jib;
import com.google.cloud.tools.jib.api.JibContainer;
import com.google.cloud.tools.jib.api.JibContainerBuilder;
import com.google.cloud.tools.jib.api.RegistryException;
import com.google.cloud.tools.jib.api.TarImage;
import com.google.cloud.tools.jib.api.buildplan.AbsoluteUnixPath;
import com.google.cloud.tools.jib.api.buildplan.FileEntriesLayer;
import com.google.cloud.tools.jib.api.buildplan.FilePermissions;
import com.google.cloud.tools.jib.api.buildplan.Platform;
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
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** Makes images on one base for one destination. Users, labels and times are the same for all. */
final class ImageBuild {
    /** User and group in every image; a number, so that a cluster can see that it is not root. */
    static final String USER = "10001:10001";

    /** All files and images have one time: the same content is the same image. */
    static final Instant TIME = Instant.ofEpochSecond(1);

    private static final long MEBIBYTE = 1 << 20;
    private static final int END_SECONDS = 30;

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
        this.baseIdentity = base instanceof BaseImage.Tar tar ? work.hashes().of(tar.file()) : base.toString();
    }

    /** A base of this machine is made now, unless it is there. */
    static ImageBuild on(
            BaseImage base, Destination destination, Work work, Optional<String> revision, PrintWriter progress) {
        BaseImage one = base instanceof BaseImage.ThisMachine ? new BaseImage.Tar(JreBase.tar(work, progress)) : base;
        return new ImageBuild(one, destination, work, revision, progress);
    }

    BuiltImage image(ImageContent content) {
        String tag = content.tag(baseIdentity, work.hashes());
        ImageReference reference = Registries.reference(destination.prefix() + "/" + content.name() + ":" + tag);
        if (destination instanceof Destination.Plan) {
            return new BuiltImage(reference.toString(), "", Optional.empty(), false);
        }
        return destination instanceof Destination.Folder folder
                ? tar(content, reference, folder.path().resolve(content.name() + "-" + tag + ".tar"))
                : push(content, reference);
    }

    private BuiltImage push(ImageContent content, ImageReference reference) {
        Registries.reach(reference, "name another place with --registry, or write files with --out DIR");
        Optional<String> there = Registries.digest(reference);
        if (there.isPresent()) {
            return new BuiltImage(reference.toString(), there.get(), Optional.empty(), true);
        }
        say("pushing " + reference);
        String digest = containerize(content, reference, Containerizer.to(Registries.image(reference)));
        return new BuiltImage(reference.toString(), digest, Optional.empty(), false);
    }

    private BuiltImage tar(ImageContent content, ImageReference reference, Path file) {
        Path digestFile = file.resolveSibling(file.getFileName() + ".digest");
        Path draft = file.resolveSibling(
                file.getFileName() + "." + ProcessHandle.current().pid() + ".new");
        try {
            if (Files.exists(file) && Files.exists(digestFile)) {
                return new BuiltImage(
                        reference.toString(), Files.readString(digestFile).trim(), Optional.of(file), true);
            }
            Files.createDirectories(file.getParent());
            checkSpace(content, file.getParent());
            say("writing " + file);
            try {
                Containerizer containerizer =
                        Containerizer.to(TarImage.at(draft).named(reference));
                String digest = containerize(content, reference, containerizer);
                Files.writeString(digestFile, digest + "\n");
                Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
                return new BuiltImage(reference.toString(), digest, Optional.of(file), false);
            } finally {
                Files.deleteIfExists(draft);
            }
        } catch (IOException e) {
            throw new EnvironmentException("cannot write " + file + ": " + e.getMessage(), e);
        }
    }

    /** Not compressed: an estimate that errs on the safe side. */
    private void checkSpace(ImageContent content, Path folder) throws IOException {
        long wanted = base instanceof BaseImage.Tar tar ? Files.size(tar.file()) : 0;
        for (ImageLayer layer : content.layers()) {
            for (ImageFile file : layer.files()) {
                wanted += Files.size(file.source());
            }
        }
        long free = Files.getFileStore(folder).getUsableSpace();
        if (free < wanted) {
            throw new EnvironmentException(
                    "image " + content.name() + " wants up to " + wanted / MEBIBYTE + " MiB in " + folder + ", and "
                            + free / MEBIBYTE + " MiB are free; make room, or name another folder with --out");
        }
    }

    private String containerize(ImageContent content, ImageReference reference, Containerizer containerizer) {
        JibContainerBuilder builder = from().setPlatforms(platforms())
                .setFileEntriesLayers(
                        content.layers().stream().map(ImageBuild::layer).toList())
                .setEntrypoint("java")
                .setProgramArguments(content.arguments())
                .setUser(USER)
                .setLabels(labels(content))
                .setCreationTime(TIME);
        containerizer.setAllowInsecureRegistries(isLocal(base, destination, reference));
        return run(builder, containerizer, work, reference + " on base " + baseText())
                .getDigest()
                .toString();
    }

    /** Whether a registry of this machine is spoken with. Jib has one client for base and destination: one is enough, and holds for both. */
    static boolean isLocal(BaseImage base, Destination destination, ImageReference reference) {
        boolean pushes = destination instanceof Destination.Registry;
        return pushes && Registries.isLocal(reference)
                || base instanceof BaseImage.Registry registry
                        && Registries.isLocal(Registries.reference(registry.reference()));
    }

    /** Makes an image; what goes wrong is a sentence. */
    static JibContainer run(JibContainerBuilder builder, Containerizer containerizer, Work work, String what) {
        containerizer
                .setBaseImageLayersCache(work.layers())
                .setApplicationLayersCache(work.layers())
                .setToolName("millrace");
        ExecutorService threads = Executors.newCachedThreadPool(task -> new Thread(task, "millrace-image"));
        containerizer.setExecutorService(threads);
        try {
            return builder.containerize(containerizer);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EnvironmentException("interrupted while an image was made", e);
        } catch (IOException | RegistryException | CacheDirectoryCreationException | ExecutionException e) {
            throw ImageFailure.of(e, what);
        } finally {
            end(threads);
        }
    }

    /** After a failure the other layers are still being written. */
    private static void end(ExecutorService threads) {
        threads.shutdownNow();
        try {
            if (!threads.awaitTermination(END_SECONDS, TimeUnit.SECONDS)) {
                throw new EnvironmentException("layers of an image are still written after " + END_SECONDS + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private JibContainerBuilder from() {
        if (base instanceof BaseImage.Tar tar) {
            return Jib.from(TarImage.at(tar.file()));
        }
        ImageReference reference = Registries.reference(((BaseImage.Registry) base).reference());
        Registries.reach(
                reference,
                "name a base that is here: --base tar:FILE, or --base " + BaseImage.THIS_MACHINE
                        + " for this machine's Java");
        return Jib.from(Registries.image(reference));
    }

    private String baseText() {
        return base instanceof BaseImage.Tar tar ? tar.file().toString() : ((BaseImage.Registry) base).reference();
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
