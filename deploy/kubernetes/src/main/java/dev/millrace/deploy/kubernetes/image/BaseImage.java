package dev.millrace.deploy.kubernetes.image;

import com.google.cloud.tools.jib.api.ImageReference;
import com.google.cloud.tools.jib.api.InvalidImageReferenceException;
import dev.millrace.core.settings.UserException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What images stand on: an operating system's files and a Java 17 that is found as {@code java}. */
public sealed interface BaseImage {
    /** The image that is taken when nobody names another. */
    String DEFAULT = "eclipse-temurin:17-jre";

    /** The words of {@link #of} that are no reference. */
    String THIS_MACHINE = "this-machine";

    /** An image in a registry. */
    record Registry(String reference) implements BaseImage {}

    /** An image in a docker-archive. */
    record Tar(Path file) implements BaseImage {}

    /** An image that is made of the Java and the libraries of this machine. */
    record ThisMachine() implements BaseImage {}

    /** By its text: a reference, {@code tar:FILE} or {@code this-machine}. */
    static BaseImage of(String text) {
        if (text.equals(THIS_MACHINE)) {
            return new ThisMachine();
        }
        if (text.startsWith("tar:")) {
            Path file = Path.of(text.substring("tar:".length())).toAbsolutePath();
            if (!Files.isRegularFile(file)) {
                throw new UserException(
                        "there is no file " + file + "; a base in a file is one that docker save wrote");
            }
            return new Tar(file);
        }
        try {
            ImageReference.parse(text);
        } catch (InvalidImageReferenceException e) {
            throw new UserException(
                    "'" + text + "' is no base image; say NAME:TAG of one in a registry, tar:FILE, or " + THIS_MACHINE,
                    e);
        }
        return new Registry(text);
    }
}
