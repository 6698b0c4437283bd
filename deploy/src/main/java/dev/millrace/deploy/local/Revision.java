package dev.millrace.deploy.local;

import java.nio.file.Path;
import java.util.Optional;

/**
 * The commit that a clone was built from, as the build wrote it down: what the clone stands on now may be another one.
 *
 * @param commit in hexadecimal
 * @param changed whether files that git knows differed from it
 */
public record Revision(String commit, boolean changed) {

    /** Of the clone in {@code root}; empty when it was built without git's files. */
    public static Optional<Revision> of(Path root) {
        return PropertiesFile.read(root.resolve("deploy/target/commit.properties"))
                .filter(values -> values.containsKey("git.commit.id.full"))
                .map(values -> new Revision(values.get("git.commit.id.full"), "true".equals(values.get("git.dirty"))));
    }

    @Override
    public String toString() {
        return commit + (changed ? " and changes that are not committed" : "");
    }
}
