package dev.millrace.perf.kubernetes;

import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.kubernetes.cluster.Cluster;
import dev.millrace.deploy.kubernetes.cluster.ClusterStack;
import dev.millrace.deploy.kubernetes.stack.ClusterStopper;
import dev.millrace.perf.pod.RunWords;
import dev.millrace.perf.result.Run;
import dev.millrace.perf.run.Runs;
import dev.millrace.perf.run.stage.Interruption;
import dev.millrace.perf.run.stage.Turn;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Runs on stacks of a cluster. */
final class ClusterRuns implements Runs {
    private static final Duration LOOK = Duration.ofSeconds(1);
    /** Whoever measures says something every few seconds; the longest silence is a wait for rows. */
    private static final Duration SILENCE_BOUND = Duration.ofMinutes(12);

    private static final Duration REMOVAL_BOUND = Duration.ofMinutes(2);

    private static final int LAST_WORDS = 12;
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int SERVER_FAULT = 500;

    private final ClusterGround ground;
    private final Path results;
    private final Interruption interruption;
    private final Consumer<String> progress;

    ClusterRuns(ClusterGround ground, Path results, Interruption interruption, Consumer<String> progress) {
        this.ground = ground;
        this.results = results;
        this.interruption = interruption;
        this.progress = progress;
    }

    @Override
    public Run run(Turn turn) {
        ClusterStack stack = ground.stack(turn.broker());
        String started = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
        try {
            remove(ground.owed());
            // What came since the last look, hours ago maybe, is somebody else's: nothing of it is removed.
            ground.requireOwn();
        } catch (EnvironmentException | UserException | KubernetesClientException e) {
            return unmeasured(turn, started, e);
        }
        ground.owes(stack);
        Run run = made(turn, stack, started);
        try {
            removePatiently(stack);
        } catch (EnvironmentException | UserException | KubernetesClientException e) {
            // What was measured stays true; the next run removes it, or cannot be made.
            String left = "its stack could not be removed: " + sentence(e);
            progress.accept(left);
            return run.with(Map.of(), Map.of(), List.of(), List.of(left));
        }
        return run;
    }

    private Run unmeasured(Turn turn, String started, RuntimeException e) {
        return turn.unmeasured(started, interruption.isAsked() ? Turn.INTERRUPTED : sentence(e));
    }

    private static String sentence(RuntimeException e) {
        return e instanceof KubernetesClientException of ? "the cluster said: " + Cluster.said(of) : e.getMessage();
    }

    private Run made(Turn turn, ClusterStack stack, String started) {
        try {
            remove(ground.left());
            bringUp(turn, stack);
            Map<String, String> nodes = ground.placement().see(stack);
            return placed(measured(turn, stack), stack, nodes);
        } catch (InterruptedException e) {
            return turn.unmeasured(started, Turn.INTERRUPTED);
        } catch (EnvironmentException | UserException | KubernetesClientException e) {
            return unmeasured(turn, started, e);
        }
    }

    /** Whatever happens, {@link #run} returns. */
    @Override
    public boolean isStarting() {
        return false;
    }

    private void remove(List<ClusterStack> stacks) {
        for (ClusterStack stack : stacks) {
            ClusterStopper stopper = new ClusterStopper(stack);
            stopper.down(true);
            stopper.removeNamespace();
            ground.isQuit(stack);
        }
    }

    /** A server that is away for a moment must not have all the runs that follow meet this one's stack. */
    private void removePatiently(ClusterStack stack) {
        long begun = System.nanoTime();
        while (true) {
            // Of an interrupt that came in the middle of a question to the cluster the next one would fail, too.
            Thread.interrupted();
            try {
                remove(List.of(stack));
                return;
            } catch (KubernetesClientException e) {
                if (!isPassing(e) || System.nanoTime() - begun > REMOVAL_BOUND.toNanos()) {
                    throw e;
                }
                LockSupport.parkNanos(LOOK.toNanos());
            }
        }
    }

    @SuppressWarnings("try") // the interrupter is held, not used
    private void bringUp(Turn turn, ClusterStack stack) throws InterruptedException {
        progress.accept("starting");
        Path log = results.resolve(turn.id() + ".up.log");
        LoadObjects load = ground.load(stack, turn);
        try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(log), true);
                Interrupter interrupter = new Interrupter(interruption, Thread.currentThread())) {
            ground.launcher(turn.broker(), out).place(ground.settings(turn.broker()), ground.manner(), load::of);
        } catch (IOException e) {
            throw new EnvironmentException("cannot write " + log + ": " + e.getMessage(), e);
        }
        if (Thread.interrupted() || interruption.isAsked()) {
            throw new InterruptedException();
        }
    }

    private Run measured(Turn turn, ClusterStack stack) throws InterruptedException {
        LoadPod pod = new LoadPod(stack);
        String said = "";
        long saidNanos = System.nanoTime();
        boolean wasThere = false;
        Outage outage = null;
        while (true) {
            try {
                Optional<String> ended = pod.ended();
                if (ended.isPresent()) {
                    return said(turn, pod.log(), ended.get());
                }
                boolean isThere = pod.isThere();
                if (wasThere && !isThere) {
                    throw new EnvironmentException("the pod that measures is gone; its last words: " + said);
                }
                wasThere = isThere;
                String newest = RunWords.newest(pod.log(LAST_WORDS)).orElse("");
                // Its last line is the run itself, and may be longer than what was asked for.
                if (!newest.isEmpty() && !newest.equals(said)) {
                    progress.accept(newest);
                    said = newest;
                    saidNanos = System.nanoTime();
                }
                if (outage != null) {
                    // What it said meanwhile nobody heard.
                    saidNanos = System.nanoTime();
                    outage = null;
                }
            } catch (KubernetesClientException e) {
                // The run goes on without the one who looks: a server that is away for a while costs nothing of it.
                outage = Outage.after(outage, e);
            }
            if (outage == null && System.nanoTime() - saidNanos > SILENCE_BOUND.toNanos()) {
                throw new EnvironmentException("the pod that measures has said nothing new for "
                        + SILENCE_BOUND.toMinutes() + " min; its last words: " + said);
            }
            interruption.await(LOOK);
        }
    }

    /** Since when nothing could be read of the pod that measures. */
    private record Outage(long sinceNanos) {
        /** Throws what cannot pass, or lasts too long. */
        static Outage after(@Nullable Outage before, KubernetesClientException e) {
            if (!isPassing(e)) {
                throw e;
            }
            long now = System.nanoTime();
            if (before != null && now - before.sinceNanos > SILENCE_BOUND.toNanos()) {
                throw new EnvironmentException("for " + SILENCE_BOUND.toMinutes()
                        + " min nothing could be read of the pod that measures: " + sentence(e));
            }
            return before == null ? new Outage(now) : before;
        }
    }

    /** No answer, too many questions, or a fault of the server's own. */
    private static boolean isPassing(KubernetesClientException e) {
        return e.getCode() == 0 || e.getCode() == TOO_MANY_REQUESTS || e.getCode() >= SERVER_FAULT;
    }

    private Run said(Turn turn, String log, String ended) {
        keepLog(turn, log);
        return RunWords.run(log)
                .orElseThrow(
                        () -> new EnvironmentException("the pod that measures ended " + ended + ": " + lastWords(log)));
    }

    private void keepLog(Turn turn, String log) {
        try {
            RunWords.files(log, results);
            Files.writeString(results.resolve(turn.id() + ".rig.log"), RunWords.forPeople(log));
        } catch (IOException e) {
            throw new EnvironmentException("cannot keep the files of run " + turn.id() + ": " + e.getMessage(), e);
        }
    }

    private static String lastWords(String log) {
        List<String> lines = RunWords.forPeople(log).lines().toList();
        return String.join(" / ", lines.subList(Math.max(0, lines.size() - LAST_WORDS), lines.size()));
    }

    /** INVALID when a part was on another node than in the first run: then brokers were not compared on the same machines. */
    private Run placed(Run run, ClusterStack stack, Map<String, String> nodes) {
        List<String> reasons = new ArrayList<>();
        nodes.forEach((part, node) -> ground.placement()
                .of(stack, part)
                .filter(first -> !first.equals(node))
                .ifPresent(first -> reasons.add(part + " was on node " + node + ", in the first run on " + first)));
        return run.with(Map.of(), Map.of(), reasons, List.of());
    }
}
