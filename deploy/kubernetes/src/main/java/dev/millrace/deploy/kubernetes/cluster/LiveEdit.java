package dev.millrace.deploy.kubernetes.cluster;

import dev.millrace.core.settings.EnvironmentException;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.FieldValidateable.Validation;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.function.Consumer;

/**
 * Changes one of our objects as it is on the cluster, by the same kind of apply and the same field manager as {@code up}: a later {@code up} finds no
 * conflict with it. Stateless.
 */
public final class LiveEdit {
    private LiveEdit() {}

    public static void apply(
            KubernetesClient client, GenericKubernetesResource live, Consumer<GenericKubernetesResource> change) {
        GenericKubernetesResource copy =
                Serialization.unmarshal(Serialization.asJson(live), GenericKubernetesResource.class);
        ObjectMeta old = live.getMetadata();
        copy.setMetadata(new ObjectMetaBuilder()
                .withName(old.getName())
                .withNamespace(old.getNamespace())
                .withLabels(old.getLabels())
                .withAnnotations(old.getAnnotations())
                .build());
        copy.getAdditionalProperties().remove("status");
        change.accept(copy);
        try {
            client.resource(copy)
                    .fieldValidation(Validation.STRICT)
                    .fieldManager(ObjectPlan.FIELD_MANAGER)
                    .forceConflicts()
                    .serverSideApply();
        } catch (KubernetesClientException e) {
            throw new EnvironmentException("the cluster refuses " + Owned.name(live) + ": " + Cluster.said(e), e);
        }
    }
}
