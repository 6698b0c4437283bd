package dev.millrace.deploy.kubernetes.manifest;

/** One object of a file. Immutable. */
record Manifest(String file, Node.Mapping root) {

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
}
