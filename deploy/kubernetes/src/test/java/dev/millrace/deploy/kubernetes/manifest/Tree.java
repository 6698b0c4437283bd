package dev.millrace.deploy.kubernetes.manifest;

import java.util.Optional;
import java.util.stream.Stream;

/** Walks through all that is below a field. */
final class Tree {
    private Tree() {}

    /** The field and everything below it. */
    static Stream<Field> all(Field field) {
        return Stream.concat(
                Stream.of(field),
                Stream.concat(field.fields().values().stream(), field.items().stream())
                        .flatMap(Tree::all));
    }

    /** The fields of that name, wherever they are. */
    static Stream<Field> named(Field field, String name) {
        return all(field).flatMap(one -> Optional.ofNullable(one.fields().get(name)).stream());
    }

    /** The templates of pods in an object, whoever makes the pods. */
    static Stream<Field> pods(Field object) {
        return all(object)
                .filter(field -> field.find("containers").isPresent()
                        || field.find("nodeSelector").isPresent());
    }
}
