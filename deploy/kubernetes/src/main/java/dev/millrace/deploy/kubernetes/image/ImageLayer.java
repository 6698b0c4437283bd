package dev.millrace.deploy.kubernetes.image;

import java.util.Comparator;
import java.util.List;

/** A layer of an image; its files are sorted by path. */
record ImageLayer(String name, List<ImageFile> files) {
    ImageLayer {
        files = files.stream().sorted(Comparator.comparing(ImageFile::path)).toList();
    }
}
