package dev.millrace.perf.baselines;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.LongAdder;

/** A pass by plain threads. They stop by themselves only: a pass without Flink is quick. */
abstract class LoopDrain implements Drain {
    final LongAdder readings = new LongAdder();
    private final List<FutureTask<Void>> tasks = new ArrayList<>();

    final void begin(String name, Callable<Void> loop) {
        FutureTask<Void> task = new FutureTask<>(loop);
        tasks.add(task);
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public long readings() {
        return readings.sum();
    }

    @Override
    public boolean isOver() {
        return tasks.stream().allMatch(FutureTask::isDone);
    }

    @Override
    public void await() throws Exception {
        for (FutureTask<Void> task : tasks) {
            try {
                task.get();
            } catch (ExecutionException e) {
                throw new IllegalStateException("a thread of the drain failed", e.getCause());
            }
        }
    }

    @Override
    public void stop() throws Exception {
        await();
    }
}
