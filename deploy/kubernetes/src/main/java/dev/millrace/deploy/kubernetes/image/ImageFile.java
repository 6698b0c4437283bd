package dev.millrace.deploy.kubernetes.image;

import java.nio.file.Path;

/**
 * One file of an image.
 *
 * @param path where it is in the image, from the root
 * @param source the file on this machine
 * @param executable whether it may be run
 */
record ImageFile(String path, Path source, boolean executable) {
    ImageFile(String path, Path source) {
        this(path, source, false);
    }
}
