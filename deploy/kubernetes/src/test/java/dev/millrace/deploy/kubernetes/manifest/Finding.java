package dev.millrace.deploy.kubernetes.manifest;

/**
 * A mistake in a manifest or in a file of settings beside it.
 *
 * @param object {@code Kind/name}; empty where the file as a whole is meant
 * @param field from the object's root; of a file of settings its key
 */
record Finding(String file, int line, String object, String field, String sentence) {
    @Override
    public String toString() {
        return file + ":" + line + ": " + (object + " " + field).strip() + ": " + sentence;
    }
}
