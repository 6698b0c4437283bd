package dev.millrace.deploy.kubernetes.cluster;

import dev.millrace.core.settings.EnvironmentException;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** A connection to one cluster. Thread-safe. */
public final class Cluster implements AutoCloseable {
    private static final int CONNECT_MILLIS = 10_000;
    private static final int REQUEST_MILLIS = 30_000;

    /** EKS's hold for 15 minutes. */
    private static final Duration TOKEN_AGE = Duration.ofMinutes(5);

    private final String context;
    private final Kubectl kubectl;
    private final KubernetesClient client;

    Cluster(String context, Kubectl kubectl, KubernetesClient client) {
        this.context = context;
        this.kubectl = kubectl;
        this.client = client;
    }

    /** A cluster that has answered. */
    static Cluster connect(String context, Kubectl kubectl) {
        Config config = config(() -> kubectl.config(context), TOKEN_AGE);
        config.setConnectionTimeout(CONNECT_MILLIS);
        config.setRequestTimeout(REQUEST_MILLIS);
        config.setRequestRetryBackoffLimit(2);
        KubernetesClient client =
                new KubernetesClientBuilder().withConfig(config).build();
        try {
            client.getKubernetesVersion();
        } catch (KubernetesClientException e) {
            client.close();
            throw new EnvironmentException(
                    "the cluster of context " + context + " at " + config.getMasterUrl()
                            + " does not answer as it should: " + said(e),
                    e);
        }
        return new Cluster(context, kubectl, client);
    }

    /**
     * How the cluster is spoken to. A token, which a program of the kubeconfig may have made for some minutes, is asked for again: verbs
     * may last longer, and the client by itself keeps the first one.
     *
     * @param kubeconfig the text, read again for each token
     * @param age at which a token is asked for again
     */
    static Config config(Supplier<String> kubeconfig, Duration age) {
        Config config = Config.fromKubeconfig(kubeconfig.get());
        if (config.getAutoOAuthToken() == null) {
            return config;
        }
        RenewedToken token = new RenewedToken(
                config.getAutoOAuthToken(),
                () -> Config.fromKubeconfig(kubeconfig.get()).getAutoOAuthToken(),
                age);
        return new ConfigBuilder(config).withOauthTokenProvider(token).build();
    }

    public String context() {
        return context;
    }

    public Kubectl kubectl() {
        return kubectl;
    }

    public KubernetesClient client() {
        return client;
    }

    public String version() {
        return client.getKubernetesVersion().getGitVersion();
    }

    /** All stacks that were deployed here by this tool, sorted. */
    public List<ClusterStack> stacks() {
        return stacks(client.apps()
                .statefulSets()
                .inAnyNamespace()
                .withLabels(Map.of(Owned.MANAGER, Owned.MILLRACE))
                .withLabelIn("app.kubernetes.io/name", ClusterStack.JOB_MANAGER, ClusterStack.GENERATOR)
                .list()
                .getItems());
    }

    /** Those that have volumes here, also where a {@code down} left nothing else of them; sorted. */
    public List<ClusterStack> stacksWithVolumes() {
        return stacks(client.persistentVolumeClaims()
                .inAnyNamespace()
                .withLabels(Map.of(Owned.MANAGER, Owned.MILLRACE))
                .list()
                .getItems());
    }

    private List<ClusterStack> stacks(List<? extends HasMetadata> objects) {
        return objects.stream()
                .filter(object -> object.getMetadata().getLabels().containsKey(Owned.STACK))
                .map(object -> new ClusterStack(
                        this,
                        object.getMetadata().getNamespace(),
                        object.getMetadata().getLabels().get(Owned.STACK)))
                .distinct()
                .sorted(Comparator.comparing(ClusterStack::namespace))
                .toList();
    }

    public boolean hasNamespace(String name) {
        Namespace there = client.namespaces().withName(name).get();
        return there != null;
    }

    /** What the server says, without the request that it was said to. */
    public static String said(KubernetesClientException e) {
        if (e.getStatus() != null && e.getStatus().getMessage() != null) {
            return e.getStatus().getMessage();
        }
        Throwable cause = e;
        while (cause.getCause() != null && cause.getCause() != cause) {
            cause = cause.getCause();
        }
        return cause.getMessage() == null ? cause.toString() : cause.getMessage();
    }

    /** What is listed, and nothing where one may not see such objects. */
    public static <T> List<T> visible(Supplier<List<T>> listed) {
        try {
            return listed.get();
        } catch (KubernetesClientException e) {
            if (e.getCode() == HttpURLConnection.HTTP_FORBIDDEN) {
                return List.of();
            }
            throw e;
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
