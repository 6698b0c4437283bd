package dev.millrace.deploy.kubernetes.manifest;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Role;
import io.kubernetes.client.openapi.models.V1RoleBinding;
import io.kubernetes.client.openapi.models.V1StorageClass;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** All that can be found in the production shape's files without a cluster, an operator or a chart. */
final class ProductionCheck {
    private static final Schemas SCHEMAS = Schemas.ofClone();
    private static final String DURABILITY = "/durability/";

    /** Kinds that the small size has none of. */
    private static final Map<String, Class<?>> KINDS = Map.of(
            "storage.k8s.io/v1 StorageClass", V1StorageClass.class,
            "rbac.authorization.k8s.io/v1 Role", V1Role.class,
            "rbac.authorization.k8s.io/v1 RoleBinding", V1RoleBinding.class);

    private static final List<ProductionRule> RULES = List.of(
            new PlaceRule(), new NameRule(), new MeetingRule(), new FilesRule(), new JobRule(), new StoreRule());

    private ProductionCheck() {}

    static List<Finding> of(Production production) {
        List<Finding> found = new ArrayList<>(production.files().unreadable());
        production.documents().forEach(document -> schema(production, document, found::add));
        RULES.forEach(rule -> rule.check(production, found::add));
        return found;
    }

    /** Of the one document, as far as it is alone to blame; far quicker than all. */
    static List<Finding> alone(Production production, Manifest document) {
        List<Finding> found = new ArrayList<>();
        schema(production, document, found::add);
        return found;
    }

    private static void schema(Production production, Manifest document, Consumer<Finding> found) {
        Field object = document.object();
        Optional<OpenApi> file = SCHEMAS.of(schemaName(document));
        if (file.isPresent()) {
            file.get().check(object, !document.file().contains(DURABILITY), found);
            return;
        }
        boolean whole = !production.isPatch(document);
        Optional<OpenApi> kind = SCHEMAS.of(object);
        String versioned = object.text("apiVersion") + " " + object.text("kind");
        if (kind.isPresent()) {
            custom(object, kind.get(), whole, found);
            AlertRule.check(object, found);
        } else if (KINDS.containsKey(versioned)) {
            Schema.object(object, Model.of(KINDS.get(versioned)), found);
        } else {
            // A kind that is misspelt is told by this, too.
            Schema.check(object, finding -> {
                if (whole || !isOfPart(finding)) {
                    found.accept(finding);
                }
            });
        }
        if (object.text("metadata.name").isEmpty()) {
            found.accept(object.finding("it has no name"));
        }
    }

    private static String schemaName(Manifest document) {
        return document.object().find("operations").isPresent() ? "operations.yaml" : document.file();
    }

    private static void custom(Field object, OpenApi schema, boolean whole, Consumer<Finding> found) {
        Map<String, Node> own = new LinkedHashMap<>(((Node.Mapping) object.node()).fields());
        own.keySet().removeAll(List.of("apiVersion", "kind", "metadata"));
        Node.Mapping body = new Node.Mapping(object.node().line(), own);
        schema.check(new Field(object.manifest(), "", body), whole, finding -> {
            // Some schemas name these, and they are looked at here.
            if (!finding.sentence().matches("the field '(apiVersion|kind|metadata)' is missing")) {
                found.accept(finding);
            }
        });
        object.find("metadata").ifPresent(metadata -> Schema.object(metadata, Model.of(V1ObjectMeta.class), found));
        if (whole && object.find("spec").isEmpty()) {
            found.accept(object.finding("the field 'spec' is missing"));
        }
    }

    /** What a part lacks the object has that it is put on; a field that is taken away is written as nothing. */
    private static boolean isOfPart(Finding finding) {
        return finding.sentence()
                .matches("the field '\\w+' is missing|it must have exactly one of .*|.* but is .*nothing");
    }
}
