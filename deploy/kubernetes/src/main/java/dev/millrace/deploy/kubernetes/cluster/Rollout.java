package dev.millrace.deploy.kubernetes.cluster;

import dev.millrace.core.settings.EnvironmentException;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.dsl.ContainerResource;
import io.fabric8.kubernetes.client.readiness.Readiness;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Waits until all pods of a stack are those that were asked for, and ready; tells a person how far it is. Used by one thread. */
public final class Rollout {
    private static final Duration LOOK = Duration.ofSeconds(1);
    /** What passes by itself is not worth a line: a pod that waits for another one's node, for a moment. */
    private static final Duration NOT_SAID = Duration.ofSeconds(5);
    /** An image that is just being loaded, a volume or a node that is just being made: so long it may look hopeless. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final int RESTARTS_MAX = 4;
    private static final int LOG_LINES = 15;

    private final ClusterStack stack;
    private final PrintWriter out;
    private final Duration bound;
    private final long startNanos = System.nanoTime();
    private final Instant start = Instant.now().minusSeconds(1);
    private final Map<String, String> told = new HashMap<>();
    private final Map<String, Integer> restartsBefore = new HashMap<>();
    private final Map<String, Long> waitsSince = new HashMap<>();
    private final Map<String, Long> hopelessSince = new HashMap<>();
    private final Set<String> replaced = new HashSet<>();
    private final Predicate<String> concerns;
    private final Supplier<List<Workload>> others;

    public Rollout(ClusterStack stack, PrintWriter out, Duration bound) {
        this(stack, out, bound, name -> true, List::of);
    }

    /**
     * @param concerns names of workloads that are waited for
     * @param others what is waited for besides
     */
    public Rollout(
            ClusterStack stack,
            PrintWriter out,
            Duration bound,
            Predicate<String> concerns,
            Supplier<List<Workload>> others) {
        this.stack = stack;
        this.out = out;
        this.bound = bound;
        this.concerns = concerns;
        this.others = others;
    }

    /**
     * Whether a workload is as it was asked for.
     *
     * @param says what is wrong, in its own words
     */
    public record Workload(String name, int wanted, int ready, boolean current, String says) {
        Workload(String name, int wanted, int ready, boolean current) {
            this(name, wanted, ready, current, "");
        }

        public boolean isDone() {
            return current && ready == wanted;
        }

        private String state() {
            return name + " " + ready + " of " + wanted + (says.isEmpty() ? "" : " (" + says + ")");
        }
    }

    public void await() {
        while (true) {
            List<Workload> workloads = workloads();
            List<Pod> pods = stack.pods();
            tell(workloads, pods);
            if (!workloads.isEmpty() && workloads.stream().allMatch(Workload::isDone)) {
                return;
            }
            pods.forEach(this::failIfHopeless);
            failIfRefused();
            if (System.nanoTime() - startNanos > bound.toNanos()) {
                throw new EnvironmentException("not all pods are ready within " + bound.toSeconds() + " s: "
                        + String.join(
                                ", ",
                                workloads.stream()
                                        .filter(one -> !one.isDone())
                                        .map(Workload::state)
                                        .toList())
                        + "; what they say: millrace logs " + stack.arguments());
            }
            LockSupport.parkNanos(LOOK.toNanos());
            if (Thread.interrupted()) {
                throw new EnvironmentException("interrupted while the pods started");
            }
        }
    }

    private List<Workload> workloads() {
        List<Workload> all = new ArrayList<>();
        var apps = stack.cluster().client().apps();
        Map<String, String> ours = Owned.labels(stack.broker());
        for (StatefulSet set : apps.statefulSets()
                .inNamespace(stack.namespace())
                .withLabels(ours)
                .list()
                .getItems()) {
            int wanted = set.getSpec().getReplicas();
            var status = set.getStatus();
            boolean seen = number(status.getObservedGeneration())
                    >= number(set.getMetadata().getGeneration());
            boolean current = seen && wanted == count(status.getUpdatedReplicas());
            if (seen && !current && wanted == 1) {
                replaceWhatIsNotReady(set);
            }
            all.add(new Workload(set.getMetadata().getName(), wanted, count(status.getReadyReplicas()), current));
        }
        for (Deployment deployment : apps.deployments()
                .inNamespace(stack.namespace())
                .withLabels(ours)
                .list()
                .getItems()) {
            int wanted = deployment.getSpec().getReplicas();
            var status = deployment.getStatus();
            boolean seen = number(status.getObservedGeneration())
                    >= number(deployment.getMetadata().getGeneration());
            boolean current =
                    seen && wanted == count(status.getUpdatedReplicas()) && wanted == count(status.getReplicas());
            all.add(new Workload(
                    deployment.getMetadata().getName(), wanted, count(status.getReadyReplicas()), current));
        }
        for (Job job : stack.cluster()
                .client()
                .batch()
                .v1()
                .jobs()
                .inNamespace(stack.namespace())
                .withLabels(ours)
                .list()
                .getItems()) {
            String name = job.getMetadata().getName();
            if (count(job.getStatus().getFailed()) > 0) {
                throw new EnvironmentException("the pod of Job " + name + " failed" + failure(name));
            }
            int ready =
                    count(job.getStatus().getReady()) + count(job.getStatus().getSucceeded());
            all.add(new Workload(name, 1, ready, true));
        }
        all.removeIf(one -> !concerns.test(one.name()));
        all.addAll(others.get());
        return all;
    }

    /** The container that ended badly, and its last words. */
    private String failure(String workload) {
        return stack.pods().stream()
                .filter(pod -> workload.equals(pod.getMetadata().getLabels().get("app.kubernetes.io/name")))
                .flatMap(pod -> statuses(pod)
                        .filter(status -> status.getState().getTerminated() != null
                                && status.getState().getTerminated().getExitCode() != 0)
                        .map(status -> ": container " + status.getName() + " ended with exit code "
                                + status.getState().getTerminated().getExitCode() + ", its last words:\n"
                                + log(pod.getMetadata().getName(), status.getName())))
                .findFirst()
                .orElse("");
    }

    private static int count(@org.jspecify.annotations.Nullable Integer number) {
        return number == null ? 0 : number;
    }

    private static long number(@org.jspecify.annotations.Nullable Long number) {
        return number == null ? 0 : number;
    }

    private void tell(List<Workload> workloads, List<Pod> pods) {
        for (Workload one : workloads) {
            String state = one.isDone() ? "ready" : "";
            if (!state.isEmpty() && !state.equals(told.put(one.name(), state))) {
                say(one.name() + " is ready");
            } else if (state.isEmpty()) {
                told.remove(one.name());
            }
        }
        workloads.forEach(one -> tellWaiting(one.name(), one.isDone() ? "" : one.says()));
        pods.forEach(pod ->
                tellWaiting("pod " + pod.getMetadata().getName(), waiting(pod).orElse("")));
    }

    private void tellWaiting(String name, String waits) {
        if (waits.isEmpty()) {
            waitsSince.remove(name);
            return;
        }
        boolean lasts =
                System.nanoTime() - waitsSince.computeIfAbsent(name, key -> System.nanoTime()) > NOT_SAID.toNanos();
        if (lasts && !waits.equals(told.put("waits " + name, waits))) {
            say(name + " waits: " + waits);
        }
    }

    /** Why a pod has no place, or no image; nothing for what takes a few seconds by itself. */
    private static Optional<String> waiting(Pod pod) {
        Optional<String> noPlace = pod.getStatus().getConditions().stream()
                .filter(condition -> condition.getType().equals("PodScheduled")
                        && condition.getStatus().equals("False"))
                .map(PodCondition::getMessage)
                .findFirst();
        return noPlace.or(() -> statuses(pod)
                .map(ContainerStatus::getState)
                .map(ContainerState::getWaiting)
                .filter(waiting -> waiting != null
                        && waiting.getReason() != null
                        && !List.of("PodInitializing", "ContainerCreating").contains(waiting.getReason()))
                .map(waiting -> waiting.getReason() + (waiting.getMessage() == null ? "" : ": " + waiting.getMessage()))
                .findFirst());
    }

    private static Stream<ContainerStatus> statuses(Pod pod) {
        return Stream.concat(
                pod.getStatus().getInitContainerStatuses().stream(), pod.getStatus().getContainerStatuses().stream());
    }

    /**
     * A StatefulSet waits for a pod to be ready before it makes it anew: one that never gets ready, with an image or settings that were
     * mended since, would be waited for for ever. Where it is the only one nothing is lost that is there.
     */
    private void replaceWhatIsNotReady(StatefulSet set) {
        String revision = set.getStatus().getUpdateRevision();
        for (Pod pod : stack.pods()) {
            boolean isOfSet = pod.getMetadata().getOwnerReferences().stream()
                    .anyMatch(owner -> owner.getUid().equals(set.getMetadata().getUid()));
            boolean isOld = revision != null
                    && !revision.equals(pod.getMetadata().getLabels().get("controller-revision-hash"));
            if (isOfSet
                    && isOld
                    && !Readiness.isPodReady(pod)
                    && pod.getMetadata().getDeletionTimestamp() == null
                    && replaced.add(pod.getMetadata().getUid())) {
                stack.cluster()
                        .client()
                        .pods()
                        .inNamespace(stack.namespace())
                        .withName(pod.getMetadata().getName())
                        .delete();
            }
        }
    }

    private void failIfHopeless(Pod pod) {
        String name = pod.getMetadata().getName();
        Optional<String> waits = waiting(pod);
        boolean hopeless = waits.filter(why -> Stream.of(
                                "ErrImage", "ImagePull", "InvalidImage", "CreateContainer", "nodes are available")
                        .anyMatch(why::contains))
                .isPresent();
        if (!hopeless) {
            hopelessSince.remove(name);
        } else if (System.nanoTime() - hopelessSince.computeIfAbsent(name, key -> System.nanoTime())
                > PATIENCE.toNanos()) {
            throw new EnvironmentException("pod " + name + " cannot start: " + waits.orElseThrow()
                    + advice(waits.orElseThrow()) + "; what was applied stays: mend it and run the same up again, or"
                    + " millrace down " + stack.arguments());
        }
        statuses(pod).forEach(status -> {
            // The least: a pod that took another's place begins with none.
            int before = restartsBefore.merge(name + status.getName(), status.getRestartCount(), Math::min);
            if (status.getRestartCount() - before >= RESTARTS_MAX) {
                throw new EnvironmentException("container " + status.getName() + " of pod " + name + " ended "
                        + (status.getRestartCount() - before) + " times while the stack started; its last words:\n"
                        + lastWords(name, status.getName()));
            }
        });
    }

    private static String advice(String why) {
        if (why.contains("Image") || why.contains("image")) {
            return " (is the image on the node? 'millrace up' says how to load it; or push it with --registry)";
        }
        if (why.contains("Insufficient")) {
            return " (the requests are in the manifests; free some, or add a node)";
        }
        return why.contains("volume") || why.contains("claim")
                ? " (the claims need a default StorageClass, or free volumes)"
                : "";
    }

    /** Of the container before the one that runs now. */
    private String lastWords(String pod, String container) {
        return said(() ->
                container(pod, container).terminated().tailingLines(LOG_LINES).getLog());
    }

    private String log(String pod, String container) {
        return said(() -> container(pod, container).tailingLines(LOG_LINES).getLog());
    }

    private ContainerResource container(String pod, String container) {
        return stack.cluster()
                .client()
                .pods()
                .inNamespace(stack.namespace())
                .withName(pod)
                .inContainer(container);
    }

    private static String said(Supplier<String> log) {
        try {
            return log.get();
        } catch (io.fabric8.kubernetes.client.KubernetesClientException e) {
            return "(they are gone: " + Cluster.said(e) + ")";
        }
    }

    /** A quota, or an admission rule, keeps pods from being made at all; only an event tells. */
    private void failIfRefused() {
        for (Event event : stack.cluster()
                .client()
                .v1()
                .events()
                .inNamespace(stack.namespace())
                .list()
                .getItems()) {
            boolean refused = "FailedCreate".equals(event.getReason())
                    && event.getLastTimestamp() != null
                    && Instant.parse(event.getLastTimestamp()).isAfter(start)
                    && System.nanoTime() - startNanos > PATIENCE.toNanos();
            if (refused) {
                throw new EnvironmentException(event.getInvolvedObject().getKind() + "/"
                        + event.getInvolvedObject().getName() + " gets no pod: " + event.getMessage());
            }
        }
    }

    void say(String line) {
        out.printf(Locale.ROOT, "  %3d s  %s%n", (System.nanoTime() - startNanos) / 1_000_000_000, line);
        out.flush();
    }
}
