package dev.millrace.deploy.kubernetes.image;

import dev.millrace.deploy.local.Sha256;
import java.util.List;

/**
 * What an image holds above its base.
 *
 * @param name its name, without registry and tag
 * @param title one line that says what it is
 * @param version of the house
 * @param layers lowest first: what changes least often
 * @param arguments what {@code java} is called with when nobody says more
 */
record ImageContent(String name, String title, String version, List<ImageLayer> layers, List<String> arguments) {
    ImageContent {
        layers = layers.stream().filter(layer -> !layer.files().isEmpty()).toList();
        arguments = List.copyOf(arguments);
    }

    /** Its version and the first digits of a hash over base and content: other content has another tag, the same has the same. */
    String tag(String baseIdentity, Hashes hashes) {
        Sha256 hash =
                new Sha256().add("1").add(baseIdentity).add(name).add(title).add(version);
        arguments.forEach(hash::add);
        for (ImageLayer layer : layers) {
            hash.add(layer.name());
            for (ImageFile file : layer.files()) {
                hash.add(file.path()).add(file.executable() ? "x" : "-").add(hashes.of(file.source()));
            }
        }
        return version + "-" + hash.hex().substring(0, 12);
    }
}
