package dev.millrace.deploy.kubernetes.image;

import com.google.cloud.tools.jib.api.ImageReference;
import com.google.cloud.tools.jib.api.InvalidImageReferenceException;
import dev.millrace.core.settings.UserException;
import java.nio.file.Path;

/** Where images go. */
public sealed interface Destination {
    /** The names that images in it begin with. */
    String prefix();

    /** A registry: the prefix is its host, and a path when images shall be below one. */
    record Registry(String prefix) implements Destination {
        public Registry {
            prefix = prefix.replaceFirst("/+$", "");
            String first = prefix.replaceFirst("/.*", "");
            boolean isHost = first.contains(".") || first.contains(":") || first.equals("localhost");
            if (!isHost || !isValid(prefix + "/millrace:1")) {
                throw new UserException("'" + prefix + "' is no place in a registry; say HOST[:PORT][/PATH], without a"
                        + " scheme and in lower case");
            }
        }

        private static boolean isValid(String reference) {
            try {
                ImageReference.parse(reference);
                return true;
            } catch (InvalidImageReferenceException e) {
                return false;
            }
        }
    }

    /** A folder of docker-archives. Their names begin so that no node looks for them in a registry. */
    record Folder(Path path) implements Destination {
        public Folder {
            path = path.toAbsolutePath().normalize();
        }

        @Override
        public String prefix() {
            return "localhost";
        }
    }

    /** Nowhere: images are only named, as they would be on their way to another destination. */
    record Plan(Destination of) implements Destination {
        @Override
        public String prefix() {
            return of.prefix();
        }
    }
}
