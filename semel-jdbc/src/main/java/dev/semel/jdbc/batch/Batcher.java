package dev.semel.jdbc.batch;

import dev.semel.StoreException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Calls that share round trips and commits: those that arrive while every lane is busy are the next batch.
 *
 * <ol>
 *   <li>A caller that waits ({@link #call}) while no other call does, and after calls that ran alone, too, takes a free lane
 *       and runs its own call. No thread is woken for it.
 *   <li>Every other call waits in a queue, which is bounded: past that, calls fail at once. A worker with a free lane takes
 *       calls in the order of arrival, and runs them as one batch. So an idle batcher runs single calls, and a busy one large
 *       batches. No timer collects calls.
 *   <li>Few calls use more lanes than many: side by side they do not delay each other. Many calls are faster in few lanes,
 *       where batches are large, and divide themselves evenly among those. While other batches run, a small rest waits for
 *       their callers to ask again; but a fallback runs it should those batches take longer than usual.
 *   <li>After a small batch the lane is released before its calls are completed. After a large one it is kept until all are
 *       completed, since most of their callers ask again at once, and belong into one batch. A standby takes the lane over when
 *       a caller's code blocks: {@link LaneHandoff}.
 *   <li>A batch that failed because of one call is divided: {@link Bisection}. Without a connection, all calls that wait fail at
 *       once, instead of one batch after the other.
 *   <li>A thread may gather what it submits ({@link #together}), and runs it in batches of its own.
 *   <li>Closing refuses new calls and runs those that wait.
 * </ol>
 */
public final class Batcher<C extends BatchCall<?, ?>> implements AutoCloseable {

    private static final long CLOSING_LOOK_NANOS = 1_000_000;

    /** With the pauses between them, longer than any statement may take. */
    private static final int MOST_CLOSING_LOOKS = 20_000;

    private final BatchLimits limits;
    private final Executor workers;
    private final Executor later;
    private final Bisection<C> bisection;
    private final BatchLoad<C> load;

    /** Not static: a thread may gather for several stores at once. */
    @SuppressWarnings("ThreadLocalUsage")
    private final ThreadLocal<@Nullable Queue<C>> gathered = new ThreadLocal<>();

    /** @param flush asks the database: it notes an answer on every call, or throws; answers noted by then are kept */
    public Batcher(BatchLimits limits, BatchThreads threads, Consumer<List<C>> flush) {
        this(limits, threads.workers(), threads.later(), flush);
    }

    /** @param later runs a task after a while */
    Batcher(BatchLimits limits, Executor workers, Executor later, Consumer<List<C>> flush) {
        this.limits = limits;
        this.workers = workers;
        this.later = later;
        this.bisection = new Bisection<>(flush);
        this.load = new BatchLoad<>(limits);
    }

    /** Puts a call into a batch, and returns it at once, for its {@link BatchCall#stage}. */
    public <T extends C> T submit(T call) {
        Queue<C> held = gathered.get();
        if (held == null) {
            enqueue(call);
        } else {
            held.add(call);
        }
        return call;
    }

    /**
     * Runs a call, alone or in a batch, and returns it with its {@link BatchCall#answer}. It does not run on a thread that is
     * interrupted: connection pools refuse those, and the call would fail without a fault of the store.
     */
    public <T extends C> T call(T call) {
        if (!Thread.currentThread().isInterrupted() && load.startAlone()) {
            runAndRelease(List.of(call));
        } else {
            enqueue(call);
            call.await();
        }
        return call;
    }

    /** Holds back what the calling thread submits, and runs it on this thread when the task has returned. */
    public void together(Runnable task) {
        if (gathered.get() != null) {
            task.run();
            return;
        }
        Queue<C> held = new ArrayDeque<>();
        gathered.set(held);
        try {
            task.run();
        } finally {
            gathered.remove();
            while (!held.isEmpty()) {
                // Beside the lanes: these have waited long enough, and are a batch by themselves.
                run(load.take(held)).forEach(BatchCall::complete);
            }
        }
    }

    private void enqueue(C call) {
        try {
            load.add(call);
        } catch (StoreException refused) {
            call.fail(refused);
            call.complete();
            return;
        }
        dispatch();
    }

    /** Sees to it that calls that wait are run as soon as there is a lane for them. */
    private void dispatch() {
        if (load.needsWorker() && !isStarted(workers, () -> serve(load.startWorker()))) {
            load.workerFailed();
        }
        if (load.needsFallback() && !isStarted(later, this::fallbackFlush)) {
            load.fallbackFailed();
        }
    }

    private void fallbackFlush() {
        if (!isStarted(workers, () -> serve(load.startFallback()))) {
            load.fallbackFailed();
            dispatch();
        }
    }

    /** False when there is no thread for a task: the store is being closed, or memory is short. */
    private static boolean isStarted(Executor executor, Runnable task) {
        try {
            executor.execute(task);
            return true;
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            return false;
        }
    }

    /** Runs a batch in the lane that was taken for it, and further ones as long as there is a lane for them. */
    private void serve(List<C> first) {
        for (List<C> batch = first; !batch.isEmpty(); batch = load.start()) {
            dispatch();
            if (batch.size() <= limits.few()) {
                runAndRelease(batch);
            } else if (!runAndKeepLane(batch)) {
                return;
            }
        }
        dispatch();
    }

    /** Runs a batch, and releases its lane before any code of a caller runs. */
    private void runAndRelease(List<C> batch) {
        List<C> done = run(batch);
        release(batch.size());
        done.forEach(BatchCall::complete);
    }

    private void release(int calls) {
        load.finished(calls);
        dispatch();
    }

    /** Runs a batch, and keeps its lane until the calls are completed. False when the standby has the lane. */
    private boolean runAndKeepLane(List<C> batch) {
        List<C> done = run(batch);
        LaneHandoff handoff = new LaneHandoff();
        if (!isStarted(workers, () -> standBy(handoff, batch.size()))) {
            // Without a standby, no code of a caller may run in the lane.
            release(batch.size());
            done.forEach(BatchCall::complete);
            return true;
        }
        done.forEach(BatchCall::complete);
        if (!handoff.end()) {
            return false;
        }
        load.finished(batch.size());
        return true;
    }

    private void standBy(LaneHandoff handoff, int calls) {
        if (handoff.takeOver()) {
            load.finished(calls);
            serve(load.start());
        }
    }

    /** Asks the database. Returns the calls that are done: those of the batch, and without a connection all that wait. */
    private List<C> run(List<C> batch) {
        try {
            bisection.flush(batch);
            load.answered(batch);
            return batch;
        } catch (UnreachableException e) {
            List<C> done = new ArrayList<>(batch);
            done.addAll(load.takeAll());
            done.forEach(call -> call.fail(e));
            return done;
        }
    }

    @Override
    public void close() {
        load.close();
        for (int look = 0; look < MOST_CLOSING_LOOKS && !load.isIdle(); look++) {
            List<C> batch = load.start();
            if (!batch.isEmpty()) {
                runAndRelease(batch);
            } else if (Thread.currentThread().isInterrupted()) {
                break;
            } else {
                LockSupport.parkNanos(CLOSING_LOOK_NANOS);
            }
        }
        for (C left : load.takeAll()) {
            left.fail(new StoreException("the store is closed"));
            left.complete();
        }
    }
}
