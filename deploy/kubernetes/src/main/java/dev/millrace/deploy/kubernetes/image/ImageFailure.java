package dev.millrace.deploy.kubernetes.image;

import com.google.cloud.tools.jib.api.InsecureRegistryException;
import com.google.cloud.tools.jib.api.RegistryAuthenticationFailedException;
import com.google.cloud.tools.jib.api.RegistryUnauthorizedException;
import com.google.cloud.tools.jib.image.json.PlatformNotFoundInBaseImageException;
import com.google.cloud.tools.jib.image.json.UnlistedPlatformInManifestListException;
import com.google.cloud.tools.jib.registry.RegistryCredentialsNotSentException;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.UserException;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.ExecutionException;

/** What went wrong while an image was made, as a sentence. */
final class ImageFailure {
    private static final String LOG_IN =
            "; log in with docker login, so that Docker's config.json has credentials for it";

    private ImageFailure() {}

    /**
     * The sentence for a failure of Jib.
     *
     * @param what the image, with its base
     */
    static RuntimeException of(Exception failure, String what) {
        Throwable cause = failure;
        while (cause instanceof ExecutionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        String text = String.valueOf(cause.getMessage());
        if (cause instanceof RegistryUnauthorizedException refused) {
            return new EnvironmentException(
                    "the registry refuses " + refused.getImageReference() + " (" + text + ")" + LOG_IN, failure);
        }
        if (cause instanceof RegistryAuthenticationFailedException) {
            return new EnvironmentException("the registry refuses the credentials (" + text + ")" + LOG_IN, failure);
        }
        if (cause instanceof RegistryCredentialsNotSentException) {
            return new EnvironmentException(
                    what + ": the registry wants credentials and has no TLS, and they are not sent in the clear",
                    failure);
        }
        if (cause instanceof InsecureRegistryException) {
            return new EnvironmentException(
                    what + ": the registry has no TLS (" + text + "); only one on this machine may do without",
                    failure);
        }
        if (cause instanceof PlatformNotFoundInBaseImageException
                || cause instanceof UnlistedPlatformInManifestListException) {
            return new UserException(what + ": the base is not there for all platforms (" + text + ")", failure);
        }
        if (cause instanceof NoSuchFileException && text.endsWith("manifest.json")) {
            return new UserException(
                    what + ": the base is no docker-archive (it has no manifest.json); make one with docker save",
                    failure);
        }
        if (text.contains("No space left on device")) {
            return new EnvironmentException(what + ": no space left on device", failure);
        }
        return new EnvironmentException(
                "cannot make " + what + ": " + cause.getClass().getSimpleName() + ": " + text, failure);
    }
}
