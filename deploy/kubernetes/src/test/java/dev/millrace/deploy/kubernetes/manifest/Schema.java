package dev.millrace.deploy.kubernetes.manifest;

import dev.millrace.core.settings.Suggestion;
import io.kubernetes.client.custom.IntOrString;
import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1NetworkPolicy;
import io.kubernetes.client.openapi.models.V1PersistentVolumeClaim;
import io.kubernetes.client.openapi.models.V1PodDisruptionBudget;
import io.kubernetes.client.openapi.models.V1Service;
import io.kubernetes.client.openapi.models.V1ServiceAccount;
import io.kubernetes.client.openapi.models.V1StatefulSet;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Every field exists, has the type that it should have, and none is missing that must be there: what a server says that takes fields
 * strictly, without one. Kinds that are not listed here are not let through: a Secret never is.
 */
final class Schema implements Rule {
    private static final Map<String, Class<?>> KINDS = Map.of(
            "v1 ConfigMap", V1ConfigMap.class,
            "v1 PersistentVolumeClaim", V1PersistentVolumeClaim.class,
            "v1 Service", V1Service.class,
            "v1 ServiceAccount", V1ServiceAccount.class,
            "apps/v1 Deployment", V1Deployment.class,
            "apps/v1 StatefulSet", V1StatefulSet.class,
            "networking.k8s.io/v1 NetworkPolicy", V1NetworkPolicy.class,
            "policy/v1 PodDisruptionBudget", V1PodDisruptionBudget.class,
            "kustomize.config.k8s.io/v1beta1 Kustomization", Model.Kustomization.class);

    @Override
    public void check(Stack stack, Consumer<Finding> found) {
        Stream.concat(stack.kustomizations().stream(), stack.objects().stream())
                .forEach(manifest -> manifest.misfits().forEach(found));
    }

    static void check(Field object, Consumer<Finding> found) {
        String kind = object.text("kind");
        String named = object.text("apiVersion") + " " + kind;
        if (object.find("kind").isEmpty()) {
            found.accept(
                    object.finding("it says no kind, only " + object.fields().keySet()));
            return;
        }
        // With a wrong version what else is wrong is told all the same.
        Optional<String> known =
                KINDS.keySet().stream().filter(one -> one.endsWith(" " + kind)).findFirst();
        if (!KINDS.containsKey(named)) {
            found.accept(object.nearest(known.isPresent() ? "apiVersion" : "kind")
                    .finding("there is no '" + named + "' here" + near(named, KINDS.keySet())));
        }
        known.map(KINDS::get).ifPresent(model -> {
            object(object, Model.of(model), found);
            if (model != Model.Kustomization.class
                    && object.text("metadata.name").isEmpty()) {
                found.accept(object.nearest("metadata").finding("it has no name"));
            }
        });
    }

    static void object(Field field, Model model, Consumer<Finding> found) {
        if (!(field.node() instanceof Node.Mapping)) {
            found.accept(field.finding("it must be an object with fields of " + model.name()));
            return;
        }
        Map<String, Field> fields = field.fields();
        fields.forEach((name, value) -> {
            Type type = model.fields().get(name);
            if (type == null) {
                found.accept(value.finding("there is no field '" + name + "' in " + model.name()
                        + near(name, model.fields().keySet())));
            } else {
                value(value, type, found);
                Formats.problem(model.name() + "." + name, value)
                        .ifPresent(problem -> found.accept(value.finding(problem)));
            }
        });
        model.required().stream()
                .filter(name -> !fields.containsKey(name))
                .forEach(name -> found.accept(field.finding("the field '" + name + "' is missing")));
        Formats.choice(model.name(), fields.keySet()).ifPresent(problem -> found.accept(field.finding(problem)));
    }

    private static void value(Field field, Type type, Consumer<Finding> found) {
        if (type instanceof ParameterizedType many) {
            Type[] of = many.getActualTypeArguments();
            if (Collection.class.isAssignableFrom((Class<?>) many.getRawType())) {
                list(field, of[0], found);
            } else {
                map(field, of[1], found);
            }
        } else if (field.node() instanceof Node.Scalar scalar) {
            if (!fits(scalar, (Class<?>) type)) {
                found.accept(field.finding("it must be " + words((Class<?>) type) + ", but is "
                        + (scalar.text().isEmpty() ? "" : "'" + scalar.text() + "', ") + scalar.type().words));
            }
        } else if (isScalar((Class<?>) type)) {
            found.accept(field.finding("it must be " + words((Class<?>) type)));
        } else {
            object(field, Model.of((Class<?>) type), found);
        }
    }

    private static void list(Field field, Type of, Consumer<Finding> found) {
        if (field.items().isEmpty()) {
            found.accept(field.finding("it must be a list with something in it"));
        }
        field.items().forEach(item -> value(item, of, found));
    }

    private static void map(Field field, Type of, Consumer<Finding> found) {
        if (field.fields().isEmpty()) {
            found.accept(field.finding("it must be an object with something in it"));
        }
        field.fields().values().forEach(each -> value(each, of, found));
    }

    private static boolean isScalar(Class<?> type) {
        return type.getPackageName().startsWith("java.") || type == IntOrString.class || type == Quantity.class;
    }

    private static boolean fits(Node.Scalar scalar, Class<?> type) {
        return switch (scalar.type()) {
            case TEXT -> type == String.class || type == IntOrString.class || type == Quantity.class;
            case INTEGER ->
                type == Integer.class
                        || type == Long.class
                        || type == Double.class
                        || type == IntOrString.class
                        || type == Quantity.class;
            case NUMBER -> type == Double.class || type == Quantity.class;
            case BOOLEAN -> type == Boolean.class;
            case NOTHING -> false;
        };
    }

    private static String words(Class<?> type) {
        return Map.of(
                        "String", "a text",
                        "Integer", "a whole number",
                        "Long", "a whole number",
                        "Double", "a number",
                        "Boolean", "true or false",
                        "IntOrString", "a whole number or a name",
                        "Quantity", "an amount")
                .getOrDefault(type.getSimpleName(), "an object with fields of " + type.getSimpleName());
    }

    static String near(String word, Collection<String> known) {
        return Suggestion.nearest(word, known)
                .map(near -> "; did you mean '" + near + "'?")
                .orElse("");
    }
}
