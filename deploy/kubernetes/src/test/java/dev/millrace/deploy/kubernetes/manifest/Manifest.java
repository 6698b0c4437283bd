package dev.millrace.deploy.kubernetes.manifest;

import java.util.ArrayList;
import java.util.List;

/** One object of a file. Immutable; what it is not alone to blame for is not looked at here. */
final class Manifest {
    private final String file;
    private final Node.Mapping root;
    /** Held against the schema once, though it is in many stacks. */
    private List<Finding> misfits;

    Manifest(String file, Node.Mapping root) {
        this.file = file;
        this.root = root;
    }

    String file() {
        return file;
    }

    Node.Mapping root() {
        return root;
    }

    Field object() {
        return new Field(this, "", root);
    }

    String kind() {
        return object().text("kind");
    }

    String name() {
        return object().text("metadata.name");
    }

    /** {@code Kind/name}. */
    String id() {
        String name = name();
        return name.isEmpty() ? kind() : kind() + "/" + name;
    }

    /** What does not fit the schema of its kind. */
    List<Finding> misfits() {
        if (misfits == null) {
            List<Finding> found = new ArrayList<>();
            Schema.check(object(), found::add);
            misfits = found;
        }
        return misfits;
    }
}
