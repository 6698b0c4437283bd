package dev.millrace.deploy.kubernetes.image;

import java.nio.file.Path;
import java.util.Optional;

/**
 * An image that is where it was to go.
 *
 * @param reference name and tag, for a pod
 * @param digest of its manifest, {@code sha256:} and 64 digits; empty when it was only named
 * @param file the docker-archive, when it did not go to a registry
 * @param unchanged whether it was there before
 */
public record BuiltImage(String reference, String digest, Optional<Path> file, boolean unchanged) {}
