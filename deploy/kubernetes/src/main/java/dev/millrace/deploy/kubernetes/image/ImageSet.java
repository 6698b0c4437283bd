package dev.millrace.deploy.kubernetes.image;

import dev.millrace.deploy.local.Installation;
import dev.millrace.deploy.local.Revision;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The images of a stack on one broker.
 *
 * @param millrace for job, generator, audit and store
 * @param server the broker's, when it has one
 */
public record ImageSet(BuiltImage millrace, Optional<BuiltImage> server) {

    /**
     * Builds what is not there yet; long steps are said on {@code progress}. What is not built, a base that cannot be had or a registry
     * that refuses are sentences.
     */
    public static ImageSet build(
            Installation installation, String broker, BaseImage base, Destination destination, PrintWriter progress) {
        Work work = Work.of(installation);
        ImageContent stack = StackContent.of(installation, broker, work);
        Optional<ImageContent> server = ServerContent.of(installation, broker);
        ImageBuild build = ImageBuild.on(base, destination, work, revision(installation), progress);
        ImageSet images = new ImageSet(build.image(stack), server.map(build::image));
        work.hashes().save();
        return images;
    }

    /** Only the one that names no broker's server, as where an operator runs that. */
    public static BuiltImage millrace(
            Installation installation, String broker, BaseImage base, Destination destination, PrintWriter progress) {
        Work work = Work.of(installation);
        BuiltImage image = ImageBuild.on(base, destination, work, revision(installation), progress)
                .image(StackContent.of(installation, broker, work));
        work.hashes().save();
        return image;
    }

    private static Optional<String> revision(Installation installation) {
        return Revision.of(installation.root()).map(Revision::commit);
    }

    public List<BuiltImage> all() {
        return Stream.concat(Stream.of(millrace), server.stream()).toList();
    }
}
