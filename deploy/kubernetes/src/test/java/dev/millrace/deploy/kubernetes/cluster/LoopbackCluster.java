package dev.millrace.deploy.kubernetes.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * As much of an apiserver as looking and deleting need: in memory, with objects that a test put there, and without any controller. What it was
 * asked to delete, how and in which order can be read afterwards, which a real one does not tell.
 */
public final class LoopbackCluster implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> new Thread(task, "loopback-cluster"));
    /** By path, as {@code /api/v1/namespaces/here/pods/one}. */
    private final Map<String, JsonNode> objects = new ConcurrentSkipListMap<>();

    private final Map<String, Integer> looks = new ConcurrentHashMap<>();
    private final Set<String> forbidden = ConcurrentHashMap.newKeySet();
    private final Set<String> forbiddenEverywhere = ConcurrentHashMap.newKeySet();
    private final Queue<String> deleted = new ConcurrentLinkedQueue<>();
    private final Cluster cluster;

    public LoopbackCluster() throws IOException {
        this("loopback");
    }

    public LoopbackCluster(String context) throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
        String url = "http://127.0.0.1:" + server.getAddress().getPort();
        KubernetesClient client = new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder(io.fabric8.kubernetes.client.Config.empty())
                        .withMasterUrl(url)
                        .withRequestRetryBackoffLimit(0)
                        .build())
                .build();
        cluster = new Cluster(context, new Kubectl(Optional.empty()), client);
    }

    public Cluster cluster() {
        return cluster;
    }

    /** Puts an object there; its kind is served while there is one. */
    public LoopbackCluster with(String plural, String yaml) {
        JsonNode object = JSON.valueToTree(Serialization.unmarshal(yaml, Map.class));
        objects.put(
                collection(plural, object) + "/" + object.at("/metadata/name").asText(), object);
        return this;
    }

    /** An object that goes by itself once its kind has been listed so many times. */
    public LoopbackCluster withFleeting(String plural, String yaml, int lists) {
        JsonNode object = JSON.valueToTree(Serialization.unmarshal(yaml, Map.class));
        looks.put(collection(plural, object) + "/" + object.at("/metadata/name").asText(), lists);
        return with(plural, yaml);
    }

    /** Nobody may list these. */
    public LoopbackCluster forbid(String plural) {
        forbidden.add(plural);
        return this;
    }

    /** Nobody may list these but in one namespace. */
    public LoopbackCluster forbidEverywhere(String plural) {
        forbiddenEverywhere.add(plural);
        return this;
    }

    /** {@code plural/name how}, in order; of what was not there too. */
    public Stream<String> deleted() {
        return deleted.stream();
    }

    public boolean has(String plural, String name) {
        return objects.keySet().stream().anyMatch(path -> path.endsWith("/" + plural + "/" + name));
    }

    private static String collection(String plural, JsonNode object) {
        String version = object.path("apiVersion").asText();
        String namespace = object.at("/metadata/namespace").asText();
        return (version.contains("/") ? "/apis/" : "/api/") + version
                + (namespace.isEmpty() ? "" : "/namespaces/" + namespace) + "/" + plural;
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            String path = exchange.getRequestURI().getPath();
            boolean isDelete = exchange.getRequestMethod().equals("DELETE");
            JsonNode object = isDelete ? objects.remove(path) : objects.get(path);
            if (isDelete) {
                String[] parts = path.split("/");
                deleted.add(parts[parts.length - 2] + "/" + parts[parts.length - 1] + " "
                        + JSON.readTree(body).path("propagationPolicy").asText());
            }
            if (object != null) {
                say(exchange, 200, object);
            } else if (path.equals("/version")) {
                say(exchange, 200, JSON.readTree("{\"major\": \"1\", \"minor\": \"34\", \"gitVersion\": \"v1.34.0\"}"));
            } else if (isApi(path)) {
                say(exchange, 200, api(path));
            } else if (isCollection(path)) {
                String plural = path.substring(path.lastIndexOf('/') + 1);
                boolean isForbidden = forbidden.contains(plural)
                        || !path.contains("/namespaces/") && forbiddenEverywhere.contains(plural);
                say(exchange, isForbidden ? 403 : 200, isForbidden ? status(403) : list(path, query(exchange)));
            } else {
                say(exchange, 404, status(404));
            }
        }
    }

    private static void say(HttpExchange exchange, int code, JsonNode answer) throws IOException {
        byte[] bytes = JSON.writeValueAsBytes(answer);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(code, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    private static ObjectNode status(int code) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("kind", "Status")
                .put("apiVersion", "v1")
                .put("status", "Failure")
                .put("code", code);
    }

    private static boolean isApi(String path) {
        return path.matches("/api/v1|/apis/[^/]+/[^/]+");
    }

    /** What is left of a path is a kind, with a name or without. */
    private static boolean isCollection(String path) {
        return path.replaceFirst("^/(api/v1|apis/[^/]+/[^/]+)", "")
                .replaceFirst("^/namespaces/[^/]+(?=/)", "")
                .matches("/[^/]+");
    }

    private ObjectNode api(String path) {
        ObjectNode answer = JsonNodeFactory.instance
                .objectNode()
                .put("kind", "APIResourceList")
                .put("groupVersion", path.replaceFirst("^/apis?/", ""));
        ArrayNode resources = answer.putArray("resources");
        Map<String, String> kinds = new TreeMap<>();
        objects.forEach((place, object) -> {
            if (place.startsWith(path + "/")) {
                String collection = place.substring(0, place.lastIndexOf('/'));
                kinds.put(
                        collection.substring(collection.lastIndexOf('/') + 1),
                        object.path("kind").asText());
            }
        });
        kinds.forEach((plural, kind) ->
                resources.addObject().put("name", plural).put("kind", kind).put("namespaced", true));
        return answer;
    }

    private ObjectNode list(String path, Map<String, String> query) {
        ObjectNode answer = JsonNodeFactory.instance.objectNode();
        answer.put("kind", "List").put("apiVersion", "v1").putObject("metadata");
        ArrayNode items = answer.putArray("items");
        String plural = path.substring(path.lastIndexOf('/'));
        String group = path.substring(0, path.lastIndexOf('/'));
        boolean isEverywhere = !path.contains("/namespaces/");
        objects.forEach((place, object) -> {
            String collection = place.substring(0, place.lastIndexOf('/'));
            boolean isMeant = isEverywhere
                    ? collection.startsWith(group) && collection.endsWith(plural)
                    : collection.equals(path);
            if (isMeant && matches(object, query.getOrDefault("labelSelector", ""))) {
                items.add(object);
                Integer left = looks.computeIfPresent(place, (key, lists) -> lists - 1);
                if (left != null && left <= 0) {
                    objects.remove(place);
                }
            }
        });
        return answer;
    }

    private static boolean matches(JsonNode object, String selector) {
        JsonNode labels = object.at("/metadata/labels");
        return Stream.of(selector.split(",(?![^(]*\\))"))
                .filter(one -> !one.isEmpty())
                .allMatch(one -> {
                    String[] pair = one.split("=| in ", 2);
                    return Set.of(pair[1].replaceAll("[()]", "").split(","))
                            .contains(labels.path(pair[0]).asText());
                });
    }

    private static Map<String, String> query(HttpExchange exchange) {
        String query = exchange.getRequestURI().getRawQuery();
        return query == null
                ? Map.of()
                : Stream.of(query.split("&"))
                        .map(pair -> pair.split("=", 2))
                        .collect(Collectors.toMap(
                                pair -> pair[0], pair -> URLDecoder.decode(pair[1], StandardCharsets.UTF_8)));
    }

    @Override
    public void close() {
        cluster.close();
        server.stop(0);
        threads.shutdown();
    }
}
